import { describe, expect, it } from "vitest";
import { presentShare, targetShare, throughputShares } from "./shares.ts";
import { testRows, testRun } from "./testRun.ts";

describe("shares of the throughput", () => {
  it("are means over the time of the figures of the present, and follow a run as it grows", () => {
    const run = testRun();
    run.update({ rows: testRows(4), nowUs: 40 });
    expect(throughputShares(run, 0).values[3]).toBeCloseTo(60 / 94);
    // From now on Low carries everything: the mean over ten samples moves by a tenth with each.
    const rows = testRows(20, 4).map((value, i) => (i % 11 === 5 ? 0 : value));
    run.update({ rows, nowUs: 240 });
    expect(throughputShares(run, 0).values[8]).toBeCloseTo((4 * 60) / (9 * 34 + 4 * 60));
    expect(throughputShares(run, 0).values[23]).toBeCloseTo(0);
    expect(throughputShares(run, 1).values[23]).toBeCloseTo(1);
  });

  it("are worked out anew after the run was rewound", () => {
    const run = testRun();
    run.update({ rows: testRows(30), nowUs: 300 });
    throughputShares(run, 0);
    run.rewind(100);
    throughputShares(run, 0);
    run.update({ rows: testRows(20, 10).map((value, i) => (i % 11 === 8 ? 0 : value)), nowUs: 300 });
    expect(throughputShares(run, 0).values[29]).toBeCloseTo(1);
  });

  it("have targets, which are parts of all targets", () => {
    const run = testRun();
    expect(targetShare(run, 0)).toBeNaN();
    const figures = [30, 64, 1, 0, 0, 0, 0];
    run.update({ figures: new Float64Array([...figures, 10, 32, 1, 0, 0, 0, 0]) });
    expect(presentShare(run, 0)).toBeCloseTo(0.75);
    expect(targetShare(run, 0)).toBeCloseTo(2 / 3);
  });

  it("are no number while nothing is carried", () => {
    const run = testRun();
    run.update({
      rows: testRows(2).map((value, i) => (i % 11 === 5 || i % 11 === 8 ? 0 : value)),
      nowUs: 20,
    });
    expect(throughputShares(run, 0).values[1]).toBeNaN();
  });
});
