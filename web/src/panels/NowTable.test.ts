import { describe, expect, it } from "vitest";
import { percentileText } from "./NowTable.tsx";

describe("percentiles from few requests", () => {
  it("are printed plainly, as estimate, or not at all", () => {
    expect(percentileText(896, 99.9, 20_000)).toBe("896");
    expect(percentileText(896, 99.9, 7000)).toBe("≈896");
    expect(percentileText(896, 99.9, 4000)).toBe("few");
    expect(percentileText(183, 50, 0)).toBe("–");
    expect(percentileText(Number.NaN, 50, 100)).toBe("–");
  });

  it("are in ms, without the unit, where the whole table is", () => {
    expect(percentileText(12_345, 50, 100, true)).toBe("12.3");
    expect(percentileText(9512, 50, 100, true)).toBe("9.51");
    expect(percentileText(18.6, 50, 100, true)).toBe("0.019");
  });

  it("fit their columns, where numbers would run into each other", () => {
    expect(percentileText(1_125_122, 50, 100, true)).toBe("1125");
    expect(percentileText(1_197_500, 99, 700, true)).toBe("≈1198");
  });
});
