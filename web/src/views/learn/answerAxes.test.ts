import { describe, expect, it } from "vitest";
import { answerAxis, binned, type Range, rangeOf } from "./answerAxes.ts";

describe("the range of answers", () => {
  const labels = (range: Range, count: number) =>
    answerAxis(range, [0, 1], count).ticks.flatMap(({ label }) => label || []);

  it("has round ticks", () => {
    expect(labels({ min: 0, max: 100 }, 5)).toEqual(["0", "20", "40", "60", "80", "100"]);
    expect(labels({ min: 0.5, max: 1 }, 5)).toEqual(["0.5", "0.6", "0.7", "0.8", "0.9", "1.0"]);
    expect(labels({ min: 1, max: 1000, log: true }, 9)).toEqual([
      "1",
      "2",
      "5",
      "10",
      "20",
      "50",
      "100",
      "200",
      "500",
      "1000",
    ]);
    expect(labels({ min: 1, max: 1000, log: true }, 5)).toEqual(["1", "10", "100", "1000"]);
    expect(labels({ min: 0.1, max: 2, log: true }, 9)).toEqual(["0.1", "0.2", "0.5", "1", "2"]);
  });

  it("places what lies on it as it is drawn", () => {
    const at = (range: Range, value: number) => answerAxis(range, [0, 1], 5).scale(value);
    expect(at({ min: 0, max: 200 }, 50)).toBe(0.25);
    expect(at({ min: 0, max: 200 }, 300)).toBe(1);
    expect(at({ min: 1, max: 100, log: true }, 10)).toBeCloseTo(0.5);
    expect(rangeOf([0.5, 0.1, 0.9])).toEqual({ min: 0.1, max: 0.9, log: false });
  });

  it("counts what falls into each part, and in the outermost what lies outside", () => {
    expect(binned([0, 10, 49, 50, 100, 120, -3], { min: 0, max: 100 }, 2)).toEqual([4, 3]);
    expect(binned([1, 9, 11, 100, 0], { min: 1, max: 100, log: true }, 2)).toEqual([3, 2]);
  });
});
