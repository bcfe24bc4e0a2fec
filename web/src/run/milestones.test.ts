import { describe, expect, it } from "vitest";
import { allConvergedUs, milestonesOf } from "./milestones.ts";
import { createRunView } from "./recorder.ts";
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

describe("what a run came to by itself", () => {
  const drive = { node: 0, name: "ssd0", kind: "ssd", channels: 1, units: 1, sampledByUnit: false } as const;
  /** The readings of a drive whose cache was full and whose garbage collection began at some instants. */
  const reading = (cacheFullUs: number, collectsUs: number) =>
    new Float32Array([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, cacheFullUs, collectsUs, 0, 0, 0, 0]);

  it("is told in order, from when it has happened on", () => {
    const run = createRunView({ ...testRun().layout, devices: [drive] });
    run.update({ devices: reading(Number.NaN, Number.NaN), nowUs: 10 });
    expect(milestonesOf(run)).toEqual([]);
    run.update({ devices: reading(600, 250), nowUs: 700 });
    expect(milestonesOf(run)).toEqual([
      { timeUs: 250, label: "garbage collection of SSD begins" },
      { timeUs: 600, label: "write cache of SSD full" },
    ]);
  });

  it("is not told of a future that the run has left", () => {
    const run = createRunView({ ...testRun().layout, devices: [drive] });
    run.update({ devices: reading(600, 250), nowUs: 300 });
    expect(milestonesOf(run).map(({ timeUs }) => timeUs)).toEqual([250]);
  });
});
