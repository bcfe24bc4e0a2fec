import { describe, expect, it } from "vitest";
import type { Deadline } from "../../run/deadlines.ts";
import { fullShare } from "./DeadlineBars.tsx";

describe("the scale of the bars", () => {
  const item = (missed: number, missedNow: number): Deadline => ({
    classIndex: 0,
    targetUs: 1,
    missed,
    missedNow,
  });

  it("is the largest share, but never so fine that a few look like all", () => {
    expect(fullShare([item(0.4, Number.NaN), item(0.1, 0.6)])).toBe(0.6);
    expect(fullShare([item(0.002, 0.001)])).toBe(0.1);
    expect(fullShare([])).toBe(0.1);
  });
});
