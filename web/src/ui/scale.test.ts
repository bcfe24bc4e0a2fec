import { describe, expect, it } from "vitest";
import { positionOf, sliderTicks, valueAtPosition } from "./scale.ts";

const threshold = { low: 10, high: 400, scale: "log" } as const;

describe("slider scale", () => {
  it("maps there and back", () => {
    for (const value of [10, 30, 140, 400]) {
      expect(valueAtPosition(threshold, positionOf(threshold, value))).toBeCloseTo(value, 9);
    }
  });

  it("stands at its ends for values beyond it", () => {
    expect(positionOf(threshold, 1)).toBe(0);
    expect(positionOf(threshold, 100_000)).toBe(1);
    expect(positionOf(threshold, 0)).toBe(0);
  });

  it("is labelled with round values", () => {
    expect(sliderTicks(threshold)).toEqual([10, 30, 100, 400]);
    expect(sliderTicks({ low: 0, high: 1, scale: "linear" })).toEqual([0, 0.5, 1]);
  });
});
