import { describe, expect, it } from "vitest";
import { column, figure, samplesUntilNow } from "./read.ts";
import { testRows, testRun } from "./testRun.ts";

describe("columnar run", () => {
  it("grows past its first capacity and keeps what it has", () => {
    const run = testRun();
    run.update({ rows: testRows(700) });
    run.update({ rows: testRows(700, 700), nowUs: 14_000 });
    expect(run.n).toBe(1400);
    expect(run.timeUs[0]).toBe(10);
    expect(run.timeUs[1399]).toBe(14_000);
    expect(column(run, "goodputGbps", 1)?.[1399]).toBe(34);
    expect(run.columns.timeUs).toBe(run.timeUs);
  });

  it("tells its listeners of each change, until they stop", () => {
    const run = testRun();
    let calls = 0;
    const stop = run.subscribe(() => calls++);
    run.update({ rows: testRows(1) });
    stop();
    run.update({ nowUs: 10 });
    expect(calls).toBe(1);
    expect(run.version).toBe(2);
  });

  it("counts samples up to the playhead and forgets those after a rewind", () => {
    const run = testRun();
    run.update({ rows: testRows(50), nowUs: 300 });
    expect(samplesUntilNow(run)).toBe(30);
    run.rewind(200);
    expect(run.n).toBe(20);
    expect(run.nowUs).toBe(200);
  });

  it("reads figures by name, NaN for what is unknown", () => {
    const run = testRun();
    run.update({ figures: new Float64Array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]) });
    expect(figure(run, 1, "targetGbps")).toBe(9);
    expect(figure(run, 0, "unknown")).toBeNaN();
  });
});
