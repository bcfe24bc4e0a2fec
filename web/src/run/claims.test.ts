import { describe, expect, it } from "vitest";
import { claimsOf } from "./claims.ts";
import { testRun } from "./testRun.ts";
import type { RunView } from "./types.ts";

/** A run of some samples with figures of its two classes. */
function run(figures: readonly (readonly number[])[], utilisation: number): RunView {
  const base = testRun();
  const figureColumns = [
    "targetGbps",
    "qualityFactor",
    "convergedAtUs",
    "latencyTargetUs",
    "missedFraction",
    "retransmittedFraction",
  ];
  return {
    ...base,
    n: 4,
    nowUs: 400,
    timeUs: Float64Array.of(100, 200, 300, 400),
    columns: { ...base.columns, utilisation: new Float64Array(4).fill(utilisation) },
    classes: figures.map((_, i) => ({ name: ["High", "Low"][i] ?? "", kindIndex: i })),
    figures: Float64Array.from(figures.flat()),
    layout: {
      ...base.layout,
      figureColumns,
      devices: [],
      graph: { ...base.layout.graph, links: [{ from: 0, to: 1, gbps: 100 }], bottleneck: 0 },
    },
  };
}
const none = Number.NaN;
const claims = (view: RunView) => Object.fromEntries(claimsOf(view).map((claim) => [claim.id, claim]));

describe("what comes true in a run", () => {
  it("is that all classes have their share, since the last of them came to it", () => {
    const both = run(
      [
        [48, 1, 300, none, none, 0],
        [16, 1, 900, none, none, 0],
      ],
      0.99,
    );
    expect(claims(both).shares).toMatchObject({ holds: true, sinceUs: 900 });
    const one = run(
      [
        [48, 1, 300, none, none, 0],
        [16, 1.2, none, none, none, 0],
      ],
      0.99,
    );
    expect(claims(one).shares).toMatchObject({ holds: false });
  });

  it("is that deadlines are kept, or who misses most of them", () => {
    const missing = run(
      [
        [none, none, none, 500, 0.15, 0],
        [none, none, none, 900, 0.004, 0],
      ],
      0.5,
    );
    expect(claims(missing).deadlines).toEqual({ id: "deadlines", holds: false, worst: "High", missed: 0.15 });
    expect(claims(missing).shares).toBeUndefined();
    const kept = run(
      [
        [none, none, none, 500, 0.01, 0],
        [none, none, none, 900, 0.004, 0],
      ],
      0.5,
    );
    expect(claims(kept).deadlines).toMatchObject({ holds: true });
  });

  it("is that the bottleneck is full, and that nothing is sent again", () => {
    const full = run([[48, 1, none, none, none, 0]], 0.97);
    expect([claims(full).full?.holds, claims(full).lossless?.holds]).toEqual([true, true]);
    const lossy = run([[48, 1, none, none, none, 0.02]], 0.6);
    expect([claims(lossy).full?.holds, claims(lossy).lossless?.holds]).toEqual([false, false]);
  });

  it("is nothing before there are samples", () => {
    expect(claimsOf({ ...run([[48, 1, 3, none, none, 0]], 1), nowUs: 50 })).toEqual([]);
  });
});
