import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/three-writers.json";
import type { Scenario } from "../scenario/types.ts";
import { changeEvents, thresholdSteps } from "./milestones.ts";

const scenario: Scenario = {
  ...(threeWriters as unknown as Scenario),
  timeline: [
    { atUs: 1000, path: "switch.ecnThresholdPackets", value: 40 },
    { atUs: 3000, path: "classes[0].transport", value: "dctcp" },
    { atUs: 3000, path: "classes[1].transport", value: "dctcp" },
  ],
};

describe("marks on the time axis", () => {
  it("are as many as there is room for, however long the timeline is", () => {
    const timeline = Array.from({ length: 4096 }, (_, i) => ({
      atUs: i * 4,
      path: "switch.ecnThresholdPackets",
      value: i,
    }));
    const events = changeEvents({ ...scenario, timeline });
    expect(events.length).toBeLessThanOrEqual(200);
    expect(events[0]).toEqual({ timeUs: 0, label: "25 changes" });
  });

  it("join the changes of one instant", () => {
    expect(changeEvents(scenario)).toEqual([
      { timeUs: 1000, label: "K 40 packets" },
      { timeUs: 3000, label: "High: DCTCP, Medium: DCTCP" },
    ]);
  });

  it("follow K through the run, in packets and time", () => {
    const steps = thresholdSteps(scenario);
    expect(steps.map(({ fromUs, packets }) => [fromUs, packets])).toEqual([
      [0, 140],
      [1000, 40],
    ]);
    expect(steps[0]?.delayUs).toBeCloseTo(16.8);
  });
});
