import { describe, expect, it } from "vitest";
import { lowerBound, nearest } from "./search.ts";

describe("a search in ascending values", () => {
  it("finds the first not below and the nearest", () => {
    const times = [10, 20, 30];
    expect(lowerBound(times, 3, 20)).toBe(1);
    expect(lowerBound(times, 3, 31)).toBe(3);
    expect(nearest(times, 3, 26)).toBe(2);
    expect(nearest(times, 3, -5)).toBe(0);
    expect(nearest(times, 0, 5)).toBe(-1);
  });
});
