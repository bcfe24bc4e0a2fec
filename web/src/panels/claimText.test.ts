import { describe, expect, it } from "vitest";
import { claimText } from "./claimText.ts";

describe("the text of a claim", () => {
  it("names class, figure, bounds and what it is now", () => {
    expect(claimText({ metric: "p99Us", class: "High", max: 500, value: 383, holds: true })).toBe(
      "High: p99 latency at most 500 µs (now 383 µs)",
    );
    // In the unit of the bounds.
    expect(claimText({ metric: "p99Us", class: "Mail", max: 20_000, value: 6627.4, holds: true })).toBe(
      "Mail: p99 latency at most 20 ms (now 6.63 ms)",
    );
    expect(claimText({ metric: "p50Us", min: 850_000, max: 1_200_000, value: 970_980, holds: true })).toBe(
      "Median latency 850 ms to 1200 ms (now 971 ms)",
    );
    expect(claimText({ metric: "p99Us", max: 500, value: 2045.3, holds: false })).toBe(
      "p99 latency at most 500 µs (now 2045 µs)",
    );
    expect(claimText({ metric: "utilisation", min: 0.95, value: 0.5, holds: false })).toBe(
      "Bottleneck link utilisation at least 95.0\u202f% (now 50\u202f%)",
    );
    expect(claimText({ metric: "pausedLinks", max: 0, value: 0, holds: true })).toBe(
      "Paused links none (now 0)",
    );
  });

  it("stays where there is no figure", () => {
    const nothing = { metric: "share", class: "High", min: 0.45, value: Number.NaN, holds: false } as const;
    expect(claimText(nothing)).toBe("High: throughput share at least 45\u202f% (nothing to tell from yet)");
  });
});
