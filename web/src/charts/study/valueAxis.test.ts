import { describe, expect, it } from "vitest";
import { type Extent, grown, valueAxis } from "./valueAxis.ts";

const axisOf = (extent: Extent, unit: string | null) => valueAxis(extent, unit, [100, 0]);
const domainOf = (extent: Extent, unit: string | null) => axisOf(extent, unit).scale.domain();
const labels = (extent: Extent, unit: string | null) =>
  axisOf(extent, unit).ticks.flatMap(({ label }) => label || []);

describe("an axis of what is measured", () => {
  it("begins at zero for amounts", () => {
    expect(domainOf([300, 1350], "us")).toEqual([0, 1400]);
    expect(axisOf([300, 1350], "us").note).toBe("µs");
    expect(domainOf([0, 0], null)).toEqual([0, 1]);
  });

  it("says where it starts if half of it were empty", () => {
    expect(domainOf([84.2, 97.1], "Gb/s")).toEqual([80, 100]);
    expect(axisOf([84.2, 97.1], "Gb/s").note).toBe("Gb/s, axis starts at 80");
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
      const { scale, ticks } = axisOf(extent, null);
      const [from = 0, to = 0] = scale.domain();
      expect(from).toBeLessThanOrEqual(extent[0]);
      expect(to).toBeGreaterThanOrEqual(extent[1]);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThan(7);
      expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
    }
  });

  it("shows no less than a tenth of what it is about, so that chance looks small", () => {
    const [from = 0, to = 0] = domainOf([59.5, 60.1], "Gb/s");
    expect(to - from).toBeGreaterThanOrEqual(6);
  });

  it("is logarithmic over many orders, and says so", () => {
    const { note, scale } = axisOf([20, 40_000], "us");
    expect(note).toBe("ms, log axis");
    expect(scale(200) - scale(20)).toBeCloseTo(scale(2000) - scale(200));
    expect(scale(20)).toBeLessThan(100);
    expect(scale(0)).toBe(100);
  });

  it("is in milliseconds where microseconds would be long", () => {
    expect(labels([1000, 24_000], "us")).toEqual(["0", "10", "20"]);
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
