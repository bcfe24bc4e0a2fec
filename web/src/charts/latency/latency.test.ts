import { describe, expect, it } from "vitest";
import { testRun } from "../../run/testRun.ts";
import { latencyGeometry, latencyRange } from "./latency.ts";

const pairs = new Float64Array([100, 1, 200, 0.1, 400, 0.01, 800, 0.001]);

describe("the chart of latency", () => {
  it("grows its axis to round values and never shrinks it", () => {
    const run = testRun();
    run.update({ latency: [pairs, new Float64Array(0)] });
    const first = latencyRange(run, null);
    expect(first.maximumUs).toBe(1000);
    run.update({ latency: [new Float64Array([300, 0.5, 350, 0.4]), new Float64Array(0)] });
    expect(latencyRange(run, first).maximumUs).toBe(1000);
  });

  it("puts a decade of share into a quarter of the height", () => {
    const plot = latencyGeometry(384, 300, { minimumUs: 100, maximumUs: 1000 });
    expect(plot.y(0.01) - plot.y(0.1)).toBeCloseTo((plot.bottom - plot.top) / 4);
    expect(plot.usAt(plot.x(250))).toBeCloseTo(250);
  });
});
