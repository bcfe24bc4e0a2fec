import { describe, expect, it } from "vitest";
import { latencyAt, shareSlower, shareWithin } from "./latency.ts";

const pairs = new Float64Array([100, 1, 200, 0.1, 400, 0.01, 800, 0.001]);

describe("a latency distribution", () => {
  it("gives the latency at a percentile between two points in the logarithms", () => {
    expect(latencyAt(pairs, 0.1)).toBeCloseTo(200);
    expect(latencyAt(pairs, Math.sqrt(0.1 * 0.01))).toBeCloseTo(Math.sqrt(200 * 400));
    expect(latencyAt(pairs, 0.0001)).toBeNaN();
  });

  it("gives the share slower than a latency, none beyond the slowest", () => {
    expect(shareSlower(pairs, 300)).toBe(0.01);
    expect(shareSlower(pairs, 900)).toBeNaN();
  });
});

describe("the share within a latency", () => {
  it("is what the curve does not have above it, and everything beyond the slowest", () => {
    const pairs = Float64Array.from([10, 1, 20, 0.5, 40, 0.1, 80, 0]);
    expect(shareWithin(pairs, 20)).toBeCloseTo(0.5);
    expect(shareWithin(pairs, 500)).toBe(1);
    expect(shareWithin(new Float64Array(0), 500)).toBeNaN();
  });
});
