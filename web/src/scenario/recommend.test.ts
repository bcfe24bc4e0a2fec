import { describe, expect, it } from "vitest";
import { thresholdSentence } from "./recommend.ts";

const scale = { packetBytes: 1500, linkGbps: 100 };

describe("recommended ECN threshold", () => {
  const band = { low: 30, high: 52 };

  it("is compared with K in one sentence", () => {
    expect(thresholdSentence(140, band, scale)).toBe(
      "Above the recommended 30–52 (shaded): full throughput, up to 16.8 µs more waiting.",
    );
    expect(thresholdSentence(35, band, scale)).toMatch(/^Within/);
    expect(thresholdSentence(10, band, scale)).toMatch(/^Below/);
  });
});
