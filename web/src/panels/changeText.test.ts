import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/three-writers.json";
import type { Scenario } from "../scenario/types.ts";
import { describeChange } from "./changeText.ts";

const document = threeWriters as unknown as Scenario;

describe("recorded changes in words", () => {
  it.each([
    ["switch.ecnThresholdPackets", 40, "K 40 packets"],
    ["classes[0].transport", "dctcp", "High: DCTCP"],
    ["workloads[2].traffic.offeredGbps", 60, "Low offered 60 Gb/s"],
    ["topology.baseRttUs", 1800, "RTT 1.8 ms"],
    ["switch.marking", "off", "ECN marking Off"],
  ])("%s = %s reads %s", (path, value, words) => {
    expect(describeChange(document, { atUs: 0, path, value })).toBe(words);
  });
});
