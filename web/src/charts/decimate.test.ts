import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPolyline, decimate, lowerBound, nearest } from "./decimate.ts";

const identity = (value: number) => value;
const points = (times: number[], values: number[], pixels: number) => {
  const line = createPolyline(4);
  const scale = pixels / Math.max(times.at(-1) ?? 1, 1);
  decimate(line, times, values, 0, times.length, (t) => t * scale, identity);
  return Array.from(line.y.subarray(0, line.length));
};

describe("decimation", () => {
  it("keeps a spike of one sample among thousands", () => {
    const times = Array.from({ length: 20_000 }, (_, i) => i);
    const values = times.map((i) => (i === 12_345 ? 500 : 10));
    const kept = points(times, values, 500);
    expect(kept).toContain(500);
    expect(kept.length).toBeLessThan(3 * 501);
  });

  it("keeps the extremes of any series and at most three points per pixel column", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 2, maxLength: 800 }),
        (values) => {
          const times = values.map((_, i) => i);
          const kept = points(times, values, 40);
          expect(kept.length).toBeLessThanOrEqual(3 * 41);
          // Within the two pixels under which a column counts as flat.
          expect(Math.max(...values) - Math.max(...kept)).toBeLessThanOrEqual(2);
          expect(Math.min(...kept) - Math.min(...values)).toBeLessThanOrEqual(2);
        },
      ),
    );
  });

  it("leaves every sample alone where there is a pixel for each", () => {
    expect(points([0, 1, 2, 3], [5, 1, 9, 2], 300)).toEqual([5, 1, 9, 2]);
  });

  it("keeps a gap as a gap", () => {
    expect(points([0, 1, 2, 3], [5, Number.NaN, 9, 2], 3).some(Number.isNaN)).toBe(true);
  });
});

describe("search", () => {
  it("finds the first not below and the nearest", () => {
    const times = [10, 20, 30];
    expect(lowerBound(times, 3, 20)).toBe(1);
    expect(lowerBound(times, 3, 31)).toBe(3);
    expect(nearest(times, 3, 26)).toBe(2);
    expect(nearest(times, 3, -5)).toBe(0);
    expect(nearest(times, 0, 5)).toBe(-1);
  });
});
