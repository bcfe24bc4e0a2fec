import { describe, expect, it } from "vitest";
import { amountTicks, latencyTicks, niceMaximum, timeTicks } from "./ticks.ts";

const labels = (ticks: readonly { label: string }[]) => ticks.map((tick) => tick.label);

describe("axes", () => {
  it("ends an amount axis on a round number at or above the value", () => {
    expect(niceMaximum(57.6)).toBe(60);
    expect(niceMaximum(280)).toBe(300);
    expect(niceMaximum(300)).toBe(300);
    expect(niceMaximum(0)).toBe(1);
    for (const value of [0.07, 1, 13, 96, 101, 4096])
      expect(niceMaximum(value)).toBeGreaterThanOrEqual(value);
  });

  it("puts three to five round ticks on an amount axis", () => {
    expect(labels(amountTicks(60))).toEqual(["0", "20", "40", "60"]);
    expect(labels(amountTicks(300, 2))).toEqual(["0", "150", "300"]);
    expect(labels(amountTicks(1.2))).toEqual(["0.0", "0.4", "0.8", "1.2"]);
    expect(labels(amountTicks(5))).toEqual(["0.0", "2.5", "5.0"]);
    expect(labels(amountTicks(1, 4))).toEqual(["0.00", "0.25", "0.50", "0.75", "1.00"]);
    for (const top of [1, 1.2, 1.5, 2, 3, 4, 5, 6, 8]) {
      expect(amountTicks(top).length).toBeGreaterThanOrEqual(3);
      expect(amountTicks(top).length).toBeLessThanOrEqual(5);
    }
  });

  it("labels time in ms and writes the unit once, at the end", () => {
    expect(labels(timeTicks(0, 6000, 568))).toEqual(["0", "1", "2", "3", "4", "5", "6 ms"]);
    expect(labels(timeTicks(0, 500, 400)).at(-1)).toMatch(/µs$/);
    expect(labels(timeTicks(0, 20e6, 400)).at(-1)).toMatch(/ s$/);
  });

  it("labels latency at 1-2-5, each with its unit", () => {
    const ticks = latencyTicks(100, 3000);
    expect(labels(ticks).filter(Boolean)).toEqual(["100 µs", "200 µs", "500 µs", "1 ms", "2 ms"]);
    expect(ticks.map((tick) => tick.value)).toContain(300);
  });
});
