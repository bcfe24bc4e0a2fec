import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/three-writers.json";
import { faultOf, faultSentence } from "./check.ts";
import { fieldAt } from "./schema.ts";

const threshold = fieldAt("switch.ecnThresholdPackets", threeWriters);

describe("what is wrong with a number", () => {
  it("is said with the limit and its unit", () => {
    expect(faultOf(threshold, 0.5)).toBe("K must be at least 1 packet.");
    expect(faultOf(threshold, 1e6)).toBe("K must be at most 100000 packets.");
    expect(faultOf(threshold, 140.5)).toBe("K is a whole number.");
    expect(faultOf(fieldAt("durationUs", threeWriters), 0)).toBe("Duration must be at least 1 µs.");
  });

  it("is nothing within the range", () => {
    expect(faultOf(threshold, 140)).toBeNull();
  });

  it("comes from the engine as a sentence that begins with the field", () => {
    const fault = { path: "topology.shape.k", reason: "is 3, an odd number", fix: "Take an even number." };
    expect(faultSentence("k", fault)).toBe("k is 3, an odd number. Take an even number.");
  });
});
