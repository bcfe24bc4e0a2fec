import { describe, expect, it } from "vitest";
import type { Comparison } from "../generated/answers.d.ts";
import { testRun } from "../run/testRun.ts";
import { compared, conclusions, intervalText, MEASURES } from "./comparison.ts";

const measure = (id: string) => {
  const found = MEASURES.find((item) => item.id === id);
  if (!found) throw new Error(`there is no measure ${id}`);
  return found;
};

/** A run of two classes whose throughput is as given at this instant. */
function runAt(...carriedGbps: readonly number[]) {
  const run = testRun();
  const { figureColumns } = run.layout;
  const figures = carriedGbps.flatMap((gbps) =>
    figureColumns.map((name) => (name === "carriedGbps" ? gbps : Number.NaN)),
  );
  run.update({ figures: new Float64Array(figures) });
  return run;
}

const none = { values: [], difference: null };

/** A comparison of two scenarios by the throughput of both classes. */
const comparison: Comparison = {
  seeds: 3,
  known: 3,
  classes: [
    { name: "High", values: [40, 50], difference: { mean: 0.25, halfWidth: 0.4, count: 3 } },
    { name: "Low", values: [33, 32.8], difference: { mean: -0.006, halfWidth: 0.02, count: 3 } },
  ].map(({ name, ...throughput }) => ({
    name,
    measures: { throughput, share: none, p99: none, missed: none },
  })),
};

describe("a comparison over several seeds", () => {
  const runs = [runAt(40, 33), runAt(50, 33.4)];

  it("shows its means in every column, with the intervals of their differences", () => {
    const [high, low] = compared(measure("throughput"), runs, comparison);
    expect(high).toMatchObject({ values: [40, 50], difference: 0.25, interval: { mean: 0.25, count: 3 } });
    expect(low?.values).toEqual([33, 32.8]);
  });

  it("shows the run on the screen while no seed has ended", () => {
    const [, low] = compared(measure("throughput"), runs, null);
    expect(low).toMatchObject({ values: [33, 33.4], interval: null });
  });

  it("says by how much the classes differ, and whether that is clear", () => {
    const throughput = measure("throughput");
    const said = (halfWidth: number | null) => {
      const interval = { mean: 0.25, halfWidth, count: halfWidth === null ? 1 : 3 };
      const [high, low] = compared(throughput, runs, comparison);
      if (!high || !low) throw new Error("there are two classes");
      expect(intervalText(throughput, interval)).toBe(
        halfWidth === null ? "+25\u202f%" : `+25\u202f% ± ${100 * halfWidth}`,
      );
      return conclusions([{ measure: throughput, classes: [{ ...high, interval }, low] }], "B");
    };
    expect(said(0.4)).toEqual([
      "In B, High carries 25\u202f% more, 95 % interval −15 to 65, 3 seeds. No clear difference yet.",
    ]);
    expect(said(0.1)).toEqual(["In B, High carries 25\u202f% more, 95 % interval 15 to 35, 3 seeds."]);
    expect(said(null)).toEqual(["In B, High carries 25\u202f% more (50.0 against 40.0 Gb/s)."]);
  });

  it("calls equal runs identical, and others alike", () => {
    const said = (current: ReturnType<typeof runAt>) => {
      const throughput = measure("throughput");
      const classes = compared(throughput, [runAt(40, 33), current], null);
      return conclusions([{ measure: throughput, classes }], "B");
    };
    expect(said(runAt(40, 33))).toEqual(["The results are identical so far."]);
    expect(said(runAt(40.1, 33))).toEqual(["No class differs by more than a few per cent."]);
  });
});
