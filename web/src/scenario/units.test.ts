import { describe, expect, it } from "vitest";
import { formatField, packetsToBytes, packetsToUs, parseNumber, shownUnit, stepped } from "./units.ts";

const scale = { packetBytes: 1500, linkGbps: 100 };

describe("parsing", () => {
  it.each([
    ["140", "packets", 140],
    ["16.8 us", "packets", 140],
    ["16.8 µs", "packets", 140],
    ["210 KB", "packets", 140],
    ["210kb", "packets", 140],
    ["6 ms", "us", 6000],
    ["0,5", "us", 0.5],
    ["1 500", "bytes", 1500],
    ["1.5 Tb/s", "Gb/s", 1500],
    ["0.04 Gb/s", "Mb/s", 40],
    ["400 Mbps", "Gb/s", 0.4],
    ["−2", undefined, -2],
    ["1e3", "us", 1000],
    ["5 %", undefined, 0.05],
  ])("%s for a field in %s is %d", (text, unit, value) => {
    expect(parseNumber(text, unit, { scale })).toBeCloseTo(value, 9);
  });

  it.each([
    ["", "us"],
    ["fast", "us"],
    ["12 parsecs", "us"],
    ["3 KB", "us"],
    ["1.2.3", "us"],
    ["1e309", "us"],
    ["1e308 s", "us"],
    ["NaN", "us"],
    ["Infinity", "us"],
    ["0x10", "packets"],
    ["5 constructor", "us"],
    ["5 toString", undefined],
    ["--5", "us"],
  ])("refuses %j for a field in %s", (text, unit) => {
    expect(parseNumber(text, unit, { scale })).toBeNull();
  });

  it("knows no negative zero", () => {
    expect(Object.is(parseNumber("-0", "us"), 0)).toBe(true);
  });

  it("takes a bare number in the unit that is shown", () => {
    expect(parseNumber("6", "us", { shownUnit: "ms" })).toBe(6000);
    expect(parseNumber("6 us", "us", { shownUnit: "ms" })).toBe(6);
  });
});

describe("showing and stepping", () => {
  it("picks a readable unit", () => {
    expect(shownUnit("us", 25)).toEqual({ unit: "µs", factor: 1 });
    expect(shownUnit("us", 6000)).toEqual({ unit: "ms", factor: 1000 });
    expect(shownUnit("packets", 6000).unit).toBe("packets");
    expect(shownUnit("bytes", 1500).unit).toBe("bytes");
    expect(shownUnit("bytes", 12_000_000)).toEqual({ unit: "MB", factor: 1e6 });
  });

  it("gives three equal readings of K", () => {
    expect(packetsToBytes(140, scale)).toBe(210_000);
    expect(packetsToUs(140, scale)).toBeCloseTo(16.8);
  });

  it("keeps few digits", () => {
    expect(formatField(0.0625)).toBe("0.0625");
    expect(formatField(16.800000000001)).toBe("16.8");
  });

  it("steps on the grid of the second digit", () => {
    expect(stepped(140, 1, true)).toBe(141);
    expect(stepped(0.0625, 1, false)).toBeCloseTo(0.064);
    expect(stepped(25, -1, false)).toBe(24);
    expect(stepped(1, -1, true, 1)).toBe(1);
  });
});
