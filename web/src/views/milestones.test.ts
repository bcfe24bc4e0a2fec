import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/three-writers.json";
import type { Scenario } from "../scenario/types.ts";
import { changeEvents, thresholdSteps } from "./milestones.ts";

const document: Scenario = {
  ...(threeWriters as unknown as Scenario),
  timeline: [
    { atUs: 1000, path: "switch.ecnThresholdPackets", value: 40 },
    { atUs: 3000, path: "classes[0].transport", value: "dctcp" },
    { atUs: 3000, path: "classes[1].transport", value: "dctcp" },
  ],
};

describe("marks on the time axis", () => {
  it("join the changes of one instant", () => {
    expect(changeEvents(document)).toEqual([
      { timeUs: 1000, label: "K 40 packets" },
      { timeUs: 3000, label: "High: DCTCP, Medium: DCTCP" },
    ]);
  });

  it("follow K through the run, in packets and time", () => {
    const steps = thresholdSteps(document);
    expect(steps.map(({ fromUs, packets }) => [fromUs, packets])).toEqual([
      [0, 140],
      [1000, 40],
    ]);
    expect(steps[0]?.delayUs).toBeCloseTo(16.8);
  });
});
