import { describe, expect, it } from "vitest";
import numbers from "../../../../tests/numbers.json" with { type: "json" };
import {
  fixed,
  formatDuration,
  formatGbps,
  formatLatency,
  formatLatencyUnit,
  formatPercent,
  formatQuality,
} from "./format.ts";

describe("numbers", () => {
  it.each(numbers)(
    "writes $value with $decimals decimals as the engine does",
    ({ value, decimals, text }) => {
      expect(fixed(value, decimals)).toBe(text);
    },
  );

  it("gives Gb/s one decimal and Q two", () => {
    expect(formatGbps(48.249)).toBe("48.2");
    expect(formatQuality(1.005)).toBe("1.00");
    expect([15.62, 431.17].map(formatQuality)).toEqual(["15.6", "> 99"]);
  });

  it("writes latency whole below 10 000 us, else in ms with two decimals", () => {
    expect(formatLatency(1240.6)).toBe("1241");
    expect(formatLatency(9999.4)).toBe("9999");
    expect(formatLatency(10_000)).toBe("10.00\u202fms");
    expect(formatLatencyUnit(382)).toBe("382 µs");
  });

  it("writes what somebody set with no more digits than it has", () => {
    expect(formatDuration(400)).toBe("400 µs");
    expect(formatDuration(2500)).toBe("2.5 ms");
    expect(formatDuration(2e6)).toBe("2 s");
    expect(formatDuration(Number.NaN)).toBe("–");
  });

  it("gives a percentage one decimal below 10 and above 90 only", () => {
    expect(formatPercent(0.008)).toBe("0.8\u202f%");
    expect(formatPercent(0.253)).toBe("25\u202f%");
    expect(formatPercent(0.987)).toBe("98.7\u202f%");
  });

  it("groups from five digits on and uses a true minus", () => {
    expect(fixed(9999, 0)).toBe("9999");
    expect(fixed(41022118, 0)).toBe("41\u202f022\u202f118");
    expect(fixed(-2, 0)).toBe("\u22122");
    expect(fixed(-0.001, 1)).toBe("0.0");
  });

  it("never shows zero for what does not apply", () => {
    expect(formatGbps(Number.NaN)).toBe("–");
    expect(formatLatency(Number.NaN)).toBe("–");
    expect(formatLatencyUnit(Number.NaN)).toBe("–");
    expect(formatPercent(Number.NaN)).toBe("–");
  });
});
