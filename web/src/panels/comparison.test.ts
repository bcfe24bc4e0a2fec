import { describe, expect, it } from "vitest";
import type { RunSummary } from "../run/repeats.ts";
import { testRun } from "../run/testRun.ts";
import { compared, conclusions, MEASURES } from "./comparison.ts";

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

const summary = (seed: number, ...carriedGbps: readonly number[]): RunSummary => ({
  seed,
  digest: "",
  classes: carriedGbps.map((gbps, i) => ({
    name: ["High", "Low"][i] ?? "",
    carriedGbps: gbps,
    latencyUs: { p99: null },
    deadline: null,
  })),
});

describe("a comparison over several seeds", () => {
  const runs = [runAt(40, 33), runAt(50, 33.4)];
  const seeds = [
    [summary(1, 40, 33), summary(1, 50, 33.4)],
    [summary(2, 60, 35), summary(2, 58, 33)],
    [summary(3, 20, 31), summary(3, 42, 32)],
  ];

  it("shows means in every column, which agree with the difference", () => {
    const [high, low] = compared(measure("throughput"), runs, seeds);
    expect(high?.values).toEqual([40, 50]);
    expect(high?.interval?.mean).toBeCloseTo(50 / 40 - 1);
    expect(low?.values[0]).toBeCloseTo(33);
    expect(low?.values[1]).toBeCloseTo(32.8);
    expect(low?.interval?.mean).toBeCloseTo(32.8 / 33 - 1);
    expect(high?.interval?.count).toBe(3);
  });

  it("shows the run on the screen while no seed has ended", () => {
    const [, low] = compared(measure("throughput"), runs, []);
    expect(low).toMatchObject({ values: [33, 33.4], interval: null });
  });

  it("leaves out seeds of which one run is missing", () => {
    const [high] = compared(measure("throughput"), runs, [...seeds, [summary(4, 1000, 1000), undefined]]);
    expect(high?.values).toEqual([40, 50]);
  });

  it("calls equal runs identical, and others alike", () => {
    const said = (current: ReturnType<typeof runAt>) => {
      const throughput = measure("throughput");
      const classes = compared(throughput, [runAt(40, 33), current], []);
      return conclusions([{ measure: throughput, classes }], "B");
    };
    expect(said(runAt(40, 33))).toEqual(["The results are identical so far."]);
    expect(said(runAt(40.1, 33))).toEqual(["No class differs by more than a few per cent."]);
  });
});
