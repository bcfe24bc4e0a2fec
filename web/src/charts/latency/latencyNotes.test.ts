import { describe, expect, it } from "vitest";
import { testRun } from "../../run/testRun.ts";
import { latencyNotes, latencySpan } from "./latencyNotes.ts";

/** Figures of the two classes of a test run, not-a-number where nothing is said. */
function running(nowUs: number, warmupUs: number, said: Record<string, readonly [number, number]>) {
  const run = testRun(undefined, warmupUs);
  const columns = run.layout.figureColumns;
  const figures = [0, 1].flatMap((i) => columns.map((name) => said[name]?.[i] ?? Number.NaN));
  run.update({ nowUs, figures: new Float64Array(figures) });
  return run;
}

describe("notes on latency", () => {
  it("name the classes whose waits grow without bound", () => {
    const run = running(900, 0, { requestsCompleted: [10, 10], backlogGrows: [0, 1] });
    expect(latencyNotes(run, false)).toEqual([
      expect.stringMatching(/^Low: more is offered than is carried, so waits grow without bound and/),
    ]);
  });

  it("say nothing where all is well", () => {
    const run = running(900, 0, { requestsCompleted: [10, 10], backlogGrows: [0, 0] });
    expect(latencyNotes(run, false)).toEqual([]);
  });

  it("leave equal latencies to the chart, which draws them as a step", () => {
    const run = running(900, 0, { requestsCompleted: [11_983, 0], backlogGrows: [0, 0] });
    run.update({ latency: [new Float64Array([22.59, 1, 22.6, 0]), new Float64Array(0)] });
    expect(latencyNotes(run, false)).toEqual([]);
  });

  it("say why there are none", () => {
    const none = { requestsCompleted: [0, 0], backlogGrows: [0, 0] } as const;
    expect(latencyNotes(running(100, 0, none), true)[0]).toMatch(/endless stream/);
    expect(latencyNotes(running(100, 200, none), false)[0]).toMatch(/completed yet/);
    expect(latencyNotes(running(300, 200, none), false)[0]).toMatch(/since the warm-up ended at 200 µs/);
  });

  it("say from when on latencies count", () => {
    expect(latencySpan(running(100, 0, {}))).toBe("since the start");
    expect(latencySpan(running(100, 200, {}))).toBe("of the warm-up, starts again at 200 µs");
    expect(latencySpan(running(200, 200, {}))).toBe("since 200 µs");
  });
});
