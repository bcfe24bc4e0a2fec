import { describe, expect, it } from "vitest";
import { nextBudget, RateMeter, SLICE_MS } from "./pacing.ts";

describe("slices", () => {
  it("settle at the wanted length for an engine of steady speed", () => {
    const eventsPerMs = 30_000;
    let budget = 20_000;
    for (let slice = 0; slice < 10; slice++) budget = nextBudget(budget, budget / eventsPerMs, true);
    expect(budget / eventsPerMs).toBeCloseTo(SLICE_MS, 0);
  });

  it("shrink at once when they take too long", () => {
    expect(nextBudget(1_000_000, 40, true)).toBe(250_000);
  });

  it("stay when a slice had little to do", () => {
    expect(nextBudget(100_000, 0.2, false)).toBe(100_000);
  });
});

describe("rate meter", () => {
  it("gives work per second of computing", () => {
    const meter = new RateMeter();
    expect(meter.perSecond).toBeNaN();
    for (let slice = 0; slice < 100; slice++) meter.add(200_000, 10);
    expect(meter.perSecond).toBeCloseTo(20e6, -3);
  });
});
