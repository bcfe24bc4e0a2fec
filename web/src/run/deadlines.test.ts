import { describe, expect, it } from "vitest";
import { deadlines } from "./deadlines.ts";
import { createRunView } from "./recorder.ts";

/** Three classes; the second without a target. Ten samples of 100 us. */
function run() {
  const view = createRunView({
    version: "0",
    hash: "0",
    classes: [
      { name: "High", transport: "qtcp" },
      { name: "Medium", transport: "qtcp" },
      { name: "Low", transport: "qtcp" },
    ],
    samplePeriodUs: 100,
    baseRttUs: 25,
    classRttUs: [],
    convergenceBand: 0.05,
    warmupUs: 0,
    durationUs: 2000,
    nowUs: 300,
    sampleColumns: ["timeUs", ...[0, 1, 2].flatMap((i) => [`missedFraction.${i}`, `requests.${i}`])],
    flowColumns: [],
    stages: [],
    deviceColumns: [],
    devices: [],
    figureColumns: ["latencyTargetUs", "missedFraction"],
    graph: { nodes: [], links: [], flows: [], bottleneck: -1 },
  });
  const rows = Array.from({ length: 10 }, (_, s) => [
    100 * (s + 1),
    ...(s < 7
      ? [1, 50]
      : ([
          [0.2, 30],
          [Number.NaN, 0],
          [0.6, 10],
        ][s - 7] ?? [])),
    ...[0, 4],
    ...[Number.NaN, 0],
  ]);
  view.update({
    rows: new Float64Array(rows.flat() as number[]),
    figures: new Float64Array([500, 0.76, Number.NaN, Number.NaN, 800, Number.NaN]),
    nowUs: 1000,
  });
  return view;
}

describe("deadlines", () => {
  it("are those of the classes with a target", () => {
    expect(deadlines(run()).map(({ classIndex, targetUs }) => [classIndex, targetUs])).toEqual([
      [0, 500],
      [2, 800],
    ]);
  });

  it("count lately the requests that ended in the present, every one the same", () => {
    const [high, low] = deadlines(run());
    expect(high?.missed).toBe(0.76);
    expect(high?.missedNow).toBeCloseTo(0.3);
    expect(low?.missedNow).toBeNaN();
  });
});
