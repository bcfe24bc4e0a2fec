import { describe, expect, it } from "vitest";
import { meanText, numberText, plainNumber, valueText } from "./studyText.ts";

describe("numbers of studies in words", () => {
  it("have as many digits as their interval is wide", () => {
    expect(meanText("us", 281.3, 277.2, 285.4)).toBe("281 µs (277 to 285)");
    expect(meanText("us", 12_345, 12_005, 12_685)).toBe("12.3 ms (12.0 to 12.7)");
    expect(meanText("Gb/s", 9.6404, 9.6323, 9.6485)).toBe("9.640 Gb/s (9.632 to 9.649)");
    expect(meanText(null, 1.5, 1.5, 1.5)).toBe("1.5");
    expect(meanText("%", 0.064, null, null)).toBe("0.064 %");
  });

  it("have the digits that matter, and their unit", () => {
    expect(numberText("us", 33.84)).toBe("33.8 µs");
    expect(numberText("us", 1281)).toBe("1281 µs");
    expect(numberText("packets", 175.06)).toBe("175.1 packets");
    expect(plainNumber(-0.123456)).toBe("−0.1235");
  });

  it("name words, and count in the singular where there is one", () => {
    const of = (unit: string | null, names = {}) => ({ unit, names });
    expect(valueText(of("packets"), 1)).toBe("1 packet");
    expect(valueText(of("us"), 2500)).toBe("2.5 ms");
    expect(valueText(of(null, { qtcp: "QTCP" }), "qtcp")).toBe("QTCP");
    expect(valueText(of(null), true)).toBe("on");
  });
});
