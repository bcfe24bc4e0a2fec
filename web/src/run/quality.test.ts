import { describe, expect, it } from "vitest";
import { meanQuality } from "./quality.ts";
import { testRun } from "./testRun.ts";

/** Columns of a sample before those of the first class: time, queue, marks. */
const NETWORK = [90, 110, 100, 0.25];
/** A run whose first class has these goodputs, targets and factors. */
function runOf(samples: readonly (readonly [goodput: number, target: number, factor: number])[]) {
  const run = testRun();
  const rows = samples.flatMap((own, s) => [(s + 1) * 10, ...NETWORK, ...own, 34, 32, 32 / 34]);
  run.update({ rows: new Float64Array(rows), nowUs: samples.length * 10 });
  return run;
}

describe("mean quality factor", () => {
  it("uneven_goodput_gives_ratio_of_means_not_mean_of_ratios", () => {
    const bursts = Array.from({ length: 10 }, (_, s) => [s % 2 === 0 ? 16 : 2, 9, 1.3] as const);
    expect(meanQuality(runOf(bursts), 0)?.values[9]).toBeCloseTo(1);
  });

  it("window_covers_the_time_of_the_present_figures", () => {
    const samples = Array.from({ length: 20 }, (_, s) => [s < 10 ? 5 : 10, 10, 1] as const);
    const values = meanQuality(runOf(samples), 0)?.values;
    expect(values?.[9]).toBeCloseTo(2);
    expect(values?.[14]).toBeCloseTo(100 / 75);
    expect(values?.[19]).toBeCloseTo(1);
  });

  it("class_without_target_has_mean_of_its_factors", () => {
    const values = meanQuality(
      runOf([
        [5, 0, 0.5],
        [5, 0, 1.5],
        [5, 0, Number.NaN],
      ]),
      0,
    )?.values;
    expect(values?.[1]).toBeCloseTo(1);
    expect(values?.[2]).toBeNaN();
  });

  it("class_that_carried_nothing_has_the_factor_of_the_control", () => {
    expect(meanQuality(runOf([[0, 10, 1000]]), 0)?.values[0]).toBe(1000);
  });
});
