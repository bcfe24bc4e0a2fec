import { describe, expect, it } from "vitest";
import { latencyAt, latencyGeometry, latencyRange, shareSlower } from "./latency.ts";
import { testRun } from "./testRun.ts";

const pairs = new Float64Array([100, 1, 200, 0.1, 400, 0.01, 800, 0.001]);

describe("latency distribution", () => {
  it("reads latency at a percentile between two points in the logarithms", () => {
    expect(latencyAt(pairs, 0.1)).toBeCloseTo(200);
    expect(latencyAt(pairs, Math.sqrt(0.1 * 0.01))).toBeCloseTo(Math.sqrt(200 * 400));
    expect(latencyAt(pairs, 0.0001)).toBeNaN();
  });

  it("reads the share slower than a latency, none beyond the slowest", () => {
    expect(shareSlower(pairs, 300)).toBe(0.01);
    expect(shareSlower(pairs, 900)).toBeNaN();
  });

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
