import { describe, expect, it } from "vitest";
import { nearestAlong, nearestWithin } from "./hit.ts";

describe("what a pointer hits", () => {
  it("is the nearest of ascending positions, of the first ones if they are counted", () => {
    const times = Float64Array.from([10, 20, 30, 0]);
    expect([26, -5, 99].map((at) => nearestAlong(times, at, 3))).toEqual([2, 0, 2]);
    expect(nearestAlong(times, 30, 2)).toBe(1);
    expect(nearestAlong(times, 5, 0)).toBe(-1);
  });

  it("is the item at the least distance, if that is within reach", () => {
    const to = (at: number) => (item: number) => Math.abs(item - at);
    expect(nearestWithin([5, 80, 7], to(8))).toBe(2);
    expect(nearestWithin([5, 80, 7], to(40), 20)).toBeNull();
    expect(nearestWithin([Number.NaN, 80], to(8))).toBe(1);
    expect(nearestWithin([], to(8))).toBeNull();
  });
});
