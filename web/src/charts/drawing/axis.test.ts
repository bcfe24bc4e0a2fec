import { describe, expect, it } from "vitest";
import {
  type Axis,
  amountAxis,
  latencyText,
  linearAxis,
  logAxis,
  namedAxis,
  percentileAxis,
  ratioAxis,
  roundEnd,
  roundRatio,
  timeAxis,
} from "./axis.ts";

const labels = ({ ticks }: Axis) => ticks.flatMap(({ label }) => label || []);

describe("an axis of amounts", () => {
  it("ends on a round number at or above the amount", () => {
    expect([57.6, 115, 280, 300, 0, Number.NaN].map(roundEnd)).toEqual([60, 120, 300, 300, 1, 1]);
    for (const amount of [0.07, 1, 13, 96, 101, 4096])
      expect(roundEnd(amount)).toBeGreaterThanOrEqual(amount);
  });

  it("has three to six round ticks from zero, and leaves little room above an amount", () => {
    expect(labels(amountAxis(60, [100, 0]))).toEqual(["0", "20", "40", "60"]);
    expect(labels(amountAxis(120, [100, 0]))).toEqual(["0", "50", "100"]);
    for (let amount = 1; amount < 100; amount += 0.7) {
      const end = roundEnd(amount);
      const { ticks, scale } = amountAxis(end, [100, 0]);
      expect(ticks.length).toBeGreaterThanOrEqual(3);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect([scale(0), ticks[0]?.value, scale(end)]).toEqual([100, 0, 0]);
      expect(amount / end).toBeGreaterThan(0.8);
    }
  });

  it("maps what is no finite number to none", () => {
    expect(amountAxis(60, [100, 0]).scale(Number.NaN)).toBeNaN();
    expect(logAxis([1, 10], [0, 100], 4).scale(Number.NaN)).toBeNaN();
    expect(logAxis([1, 10], [0, 100], 4).scale(0)).toBe(Number.NEGATIVE_INFINITY);
    expect(amountAxis(60, [100, 0]).scale(Number.POSITIVE_INFINITY)).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe("an axis of time", () => {
  it("has the unit at its last label", () => {
    expect(labels(timeAxis([0, 6000], [0, 568]))).toEqual(["0", "1", "2", "3", "4", "5", "6 ms"]);
    expect(labels(timeAxis([0, 500], [0, 400])).at(-1)).toMatch(/ µs$/);
    expect(labels(timeAxis([0, 20e6], [0, 400])).at(-1)).toMatch(/ s$/);
    expect(timeAxis([1000, 3000], [50, 250]).scale(2000)).toBe(150);
  });
});

describe("a logarithmic axis", () => {
  it("labels all, 1-2-5, decades or some decades, as there is room", () => {
    const of = (from: number, to: number, count: number) => labels(logAxis([from, to], [0, 1], count));
    expect(of(1, 10, 10)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
    expect(of(1, 1000, 10)).toEqual(["1", "2", "5", "10", "20", "50", "100", "200", "500", "1000"]);
    expect(of(1, 1000, 6)).toEqual(["1", "10", "100", "1000"]);
    expect(of(0.001, 1000, 4)).toEqual(["0.001", "0.1", "10", "1000"]);
    expect(of(0.02, 0.2, 4)).toEqual(["0.02", "0.05", "0.1", "0.2"]);
  });

  it("has ticks at equal distances within a part of a decade", () => {
    expect(labels(logAxis([12, 18], [0, 1], 4))).toEqual(["12", "14", "16", "18"]);
  });

  it("has ticks without labels between those that have some", () => {
    const { ticks } = logAxis([100, 3000], [0, 1], 6, latencyText);
    expect(labels({ ...logAxis([1, 2], [0, 1], 1), ticks })).toEqual([
      "100 µs",
      "200 µs",
      "500 µs",
      "1 ms",
      "2 ms",
    ]);
    expect(ticks).toContainEqual({ value: 300, label: "" });
  });

  it("is of powers of two around 1", () => {
    const axis = ratioAxis([0.5, 2], [100, 0]);
    expect(labels(axis)).toEqual(["0.5", "1", "2"]);
    expect([0.5, 1, 2].map((value) => axis.scale(value))).toEqual([100, 50, 0]);
    expect(labels(ratioAxis([0.2, 5], [0, 1]))).toEqual(["0.25", "0.5", "1", "2", "4"]);
  });

  it("is of percentiles down to a share", () => {
    expect(labels(percentileAxis(0.002, [100, 0]))).toEqual(["p50", "p90", "p99"]);
    const { scale } = percentileAxis(1e-4, [100, 0]);
    expect([scale(1), scale(0.01), scale(1e-4)]).toEqual([0, 50, 100]);
  });

  it("ends at 1, 1.5, 2, 3, 5 or 7 of a decade", () => {
    expect([101, 150, 2.6].map((value) => roundRatio(value, "up"))).toEqual([150, 150, 3]);
    expect([101, 150, 2.6].map((value) => roundRatio(value, "down"))).toEqual([100, 150, 2]);
  });
});

it("an axis of names has one in the middle of each part", () => {
  const { scale, ticks } = namedAxis(["DCTCP", "QTCP"], [0, 200]);
  expect(ticks.map(({ value, label }) => [scale(value), label])).toEqual([
    [50, "DCTCP"],
    [150, "QTCP"],
  ]);
});

it("an axis of numbers has as many decimals as its steps", () => {
  expect(labels(linearAxis([-1, 1], [0, 1], 4))).toEqual(["\u22121.0", "\u22120.5", "0.0", "0.5", "1.0"]);
});
