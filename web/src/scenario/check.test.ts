import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/presets/three-writers.json";
import { diagnosticOf, diagnosticSentence, diagnosticText } from "./check.ts";
import { fieldAt } from "./schema.ts";

const threshold = fieldAt("switch.ecnThresholdPackets", threeWriters);

describe("what is wrong with a number", () => {
  it("is said with the limit and its unit", () => {
    expect(diagnosticOf(threshold, 0.5)).toBe("K must be at least 1 packet.");
    expect(diagnosticOf(threshold, 1e6)).toBe("K must be at most 100000 packets.");
    expect(diagnosticOf(threshold, 140.5)).toBe("K is a whole number.");
    expect(diagnosticOf(fieldAt("durationUs", threeWriters), 0)).toBe("Duration must be at least 1 µs.");
    expect(diagnosticOf(fieldAt("durationUs", threeWriters), 1e12)).toBe("Duration must be at most 200 s.");
  });

  it("is nothing within the range", () => {
    expect(diagnosticOf(threshold, 140)).toBeNull();
  });

  it("comes from the engine as a sentence that begins with the field", () => {
    const diagnostic = {
      path: "topology.shape.k",
      reason: "is 3, an odd number",
      hint: "Take an even number.",
      severity: "error" as const,
    };
    expect(diagnosticSentence("k", diagnostic)).toBe("k is 3, an odd number. Take an even number.");
  });

  it("shows times of the engine in µs", () => {
    const diagnostic = {
      path: "",
      reason: "is 1.5 us, but the network takes 25.000 us",
      hint: "Ask for 25 us or more.",
      severity: "error" as const,
    };
    expect(diagnosticText(diagnostic)).toBe(
      "is 1.5 µs, but the network takes 25.000 µs. Ask for 25 µs or more.",
    );
  });
});
