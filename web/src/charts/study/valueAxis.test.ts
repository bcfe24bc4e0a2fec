import { describe, expect, it } from "vitest";
import { grown, valueAxis } from "./valueAxis.ts";

const labels = (...of: Parameters<typeof valueAxis>) => valueAxis(...of).ticks.map(({ label }) => label);

describe("an axis of what is measured", () => {
  it("begins at zero for amounts", () => {
    expect(valueAxis([300, 1350], "us")).toMatchObject({ from: 0, to: 1500, isLog: false, note: "µs" });
    expect(valueAxis([0, 0], null).from).toBe(0);
  });

  it("says where it starts if half of it were empty", () => {
    const axis = valueAxis([84.2, 97.1], "Gb/s");
    expect(axis).toMatchObject({ from: 80, to: 100, note: "Gb/s, axis starts at 80" });
    expect(labels([84.2, 97.1], "Gb/s")).toEqual(["80", "85", "90", "95", "100"]);
  });

  it("has few ticks at round steps, and every value within", () => {
    for (const extent of [
      [95.1, 95.2],
      [1000, 1999],
      [-3, 5],
      [7, 7],
      [0.0012, 0.0014],
    ] as const) {
      const { from, to, ticks } = valueAxis(extent, null);
      expect(from).toBeLessThanOrEqual(extent[0]);
      expect(to).toBeGreaterThanOrEqual(extent[1]);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThan(7);
      expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
    }
  });

  it("shows no less than a tenth of what it is about, so that chance looks small", () => {
    const { from, to } = valueAxis([59.5, 60.1], "Gb/s");
    expect(to - from).toBeGreaterThanOrEqual(6);
  });

  it("is logarithmic over many orders, and says so", () => {
    const axis = valueAxis([20, 40_000], "us");
    expect(axis).toMatchObject({ isLog: true, note: "ms, log axis" });
    expect(axis.share(20)).toBeGreaterThan(0);
    expect(axis.share(0)).toBe(0);
  });

  it("is in milliseconds where microseconds would be long", () => {
    expect(labels([1000, 24_000], "us")).toEqual(["0", "10", "20", "30"]);
  });
});

describe("an extent", () => {
  it("only grows", () => {
    expect(grown(null, [2, 3])).toEqual([2, 3]);
    expect(grown([1, 2], [2, 3])).toEqual([1, 3]);
    expect(grown([1, 2], null)).toEqual([1, 2]);
    expect(grown(undefined, null)).toBeNull();
  });
});
