import { describe, expect, it } from "vitest";
import { allConvergedUs } from "./milestones.ts";
import { testRun } from "./testRun.ts";

/** A test run whose two classes have a quality factor and have converged at some instants; not-a-number for never. */
function converged(high: number, low: number, quality: readonly [number, number] = [1, 1]) {
  const run = testRun();
  const said = [
    { qualityFactor: quality[0], convergedAtUs: high },
    { qualityFactor: quality[1], convergedAtUs: low },
  ];
  const figures = said.flatMap((item) =>
    run.layout.figureColumns.map((name) => item[name as keyof typeof item] ?? Number.NaN),
  );
  run.update({ figures: new Float64Array(figures) });
  return run;
}

describe("the instant at which all classes had converged", () => {
  it("is that of the last one", () => {
    expect(allConvergedUs(converged(100, 300))).toBe(300);
  });

  it("does not exist while one has not, and leaves out classes without a target", () => {
    expect(allConvergedUs(converged(100, Number.NaN))).toBeNull();
    expect(allConvergedUs(converged(100, Number.NaN, [1, Number.NaN]))).toBe(100);
    expect(allConvergedUs(testRun())).toBeNull();
  });
});
