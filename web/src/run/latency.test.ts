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

describe("a distribution of few values", () => {
  const constant = new Float64Array([22.5995, 1, 22.6, 0]);
  const two = new Float64Array([9.9995, 1, 10, 0.02, 99.9995, 0.02, 100, 0]);

  it("has its percentiles on its steps", () => {
    for (const share of [0.5, 0.01, 0.001]) expect(latencyAt(constant, share)).toBeCloseTo(22.6, 2);
    expect(latencyAt(two, 0.5)).toBeCloseTo(10, 2);
    expect(latencyAt(two, 0.01)).toBeCloseTo(100, 2);
    expect([22, 22.6, 23].map((us) => shareSlower(constant, us))).toEqual([1, 0, Number.NaN]);
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
