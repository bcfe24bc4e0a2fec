import { describe, expect, it } from "vitest";
import threeWriters from "../../../../scenarios/presets/three-writers.json";
import type { Scenario } from "../../scenario/types.ts";
import { scenarioEvents, thresholdSteps } from "./milestones.ts";

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
    const events = scenarioEvents({ ...scenario, timeline });
    expect(events.length).toBeLessThanOrEqual(200);
    expect(events[0]).toEqual({ timeUs: 0, label: "25 events" });
  });

  it("join the changes of one instant", () => {
    expect(scenarioEvents(scenario)).toEqual([
      { timeUs: 1000, label: "K 40 packets" },
      { timeUs: 3000, label: "High: DCTCP, Medium: DCTCP" },
    ]);
  });

  it("tell of traffic that starts and stops on the way, and of connections that start one after another", () => {
    const [high, medium, low] = scenario.workloads;
    if (!high || !medium || !low) throw new Error("three workloads");
    const workloads = [
      { ...high, connections: 3, startGapUs: 500 },
      { ...medium, startUs: 500, stopUs: 3000 },
      { ...low, startUs: 2000, startGapUs: 100, stopUs: 2000 },
    ];
    expect(scenarioEvents({ ...scenario, workloads, durationUs: 6000 })).toEqual([
      { timeUs: 500, label: "High: 2nd connection, Medium starts" },
      { timeUs: 1000, label: "K 40 packets, High: 3rd connection" },
      { timeUs: 2000, label: "Low stops" },
      { timeUs: 3000, label: "High: DCTCP, Medium: DCTCP, Medium stops" },
    ]);
  });

  it("tell of no traffic where all of it starts with the run and lasts as long", () => {
    const workloads = scenario.workloads.map((item) => ({ ...item, stopUs: scenario.durationUs }));
    expect(scenarioEvents({ ...scenario, timeline: [], workloads })).toEqual([]);
  });

  it("follow K through the run, in packets and time", () => {
    const steps = thresholdSteps(scenario);
    expect(steps.map(({ fromUs, packets }) => [fromUs, packets])).toEqual([
      [0, 140],
      [1000, 40],
    ]);
    expect(steps[0]?.delayUs).toBeCloseTo(16.8);
  });

  it("tell K in time at the link rate in force", () => {
    const timeline = [{ atUs: 5000, path: "topology.linkGbps", value: 10 }];
    const steps = thresholdSteps({ ...scenario, timeline });
    // 140 packets of 1500 bytes: 16.8 µs at 100 Gb/s, ten times that at 10.
    expect(steps.map(({ fromUs, delayUs }) => [fromUs, Math.round(delayUs * 10) / 10])).toEqual([
      [0, 16.8],
      [5000, 168],
    ]);
  });
});
