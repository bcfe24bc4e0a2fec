import { describe, expect, it } from "vitest";
import { intervalOf, isClear } from "./repeats.ts";

describe("an interval over seeds", () => {
  it("is that of Student's t distribution", () => {
    // Ten values of mean 5.5 and deviation 3.0277: half of 2.262 * 3.0277 / sqrt(10).
    const interval = intervalOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(interval?.mean).toBeCloseTo(5.5);
    expect(interval?.half).toBeCloseTo(2.166, 3);
    expect(interval?.count).toBe(10);
  });

  it("leaves out what does not apply, and has no width of a single value", () => {
    expect(intervalOf([Number.NaN])).toBeNull();
    expect(intervalOf([Number.NaN, 3])).toEqual({ mean: 3, half: Number.NaN, count: 1 });
  });

  it("is exact for as many seeds as can be asked for", () => {
    // Forty values 0 and 1 by turns: t(0.975, 39) = 2.022 691, variance 10 / 39.
    const interval = intervalOf(Array.from({ length: 40 }, (_, index) => index % 2));
    expect(interval?.half).toBeCloseTo(2.022691 * Math.sqrt(10 / 39 / 40), 6);
  });

  it("is clear where it lies to one side of zero", () => {
    expect(isClear({ mean: -0.15, half: 0.04, count: 20 })).toBe(true);
    expect(isClear({ mean: -0.03, half: 0.04, count: 20 })).toBe(false);
    expect(isClear({ mean: -0.03, half: Number.NaN, count: 1 })).toBe(false);
  });
});
