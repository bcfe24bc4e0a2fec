import { describe, expect, it } from "vitest";
import { createRunView } from "./recorder.ts";
import { targetShare } from "./shares.ts";
import { presentQuality, presentTarget } from "./targets.ts";
import { testRun } from "./testRun.ts";

const COLUMNS = [
  "carriedGbps",
  "targetGbps",
  "qualityFactor",
  "requestsIssued",
  "requestsCompleted",
  "latencyTargetUs",
];

/** A run of two classes with these figures. */
function figures(high: readonly number[], low: readonly number[]) {
  const run = createRunView({ ...testRun().layout, figureColumns: COLUMNS });
  run.update({ figures: new Float64Array([...high, ...low]) });
  return run;
}

const sharing = [30, 64, 1, 500, 480, Number.NaN];

describe("targets of the present", () => {
  it("are those of classes that have something to send", () => {
    const run = figures(sharing, [0, 96, 1000, 1, 1, Number.NaN]);
    expect([presentTarget(run, 0), presentQuality(run, 0)]).toEqual([64, 1]);
    expect([presentTarget(run, 1), presentQuality(run, 1)]).toEqual([Number.NaN, Number.NaN]);
  });

  it("stay while a class with something to send gets nothing", () => {
    const run = figures(sharing, [0, 96, 1000, 8, 0, Number.NaN]);
    expect([presentTarget(run, 1), presentQuality(run, 1)]).toEqual([96, 1000]);
  });

  it("are no shares beside a class that aims at a latency: what that takes is none", () => {
    expect(targetShare(figures(sharing, [10, 0, 1.2, 50, 40, 5000]), 0)).toBeNaN();
    // A deadline alone is no aim: such a class shares.
    expect(targetShare(figures(sharing, [10, 32, 1.2, 50, 40, 5000]), 0)).toBeCloseTo(2 / 3);
  });

  it("are no share of a class that has none", () => {
    expect(targetShare(figures(sharing, [0, 0, Number.NaN, 5, 5, Number.NaN]), 1)).toBeNaN();
  });
});
