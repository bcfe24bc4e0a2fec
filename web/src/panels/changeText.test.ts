import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/presets/three-writers.json";
import type { Change, Scenario } from "../scenario/types.ts";
import { describeChange } from "./changeText.ts";

const scenario = threeWriters as unknown as Scenario;

describe("recorded changes in words", () => {
  it.each([
    ["switch.ecnThresholdPackets", 40, "K 40 packets"],
    ["classes[0].transport", "dctcp", "High: DCTCP"],
    ["topology.baseRttUs", 1800, "RTT 1.8 ms"],
    ["switch.marking", "off", "Marking off"],
    ["switch.buffering", "pfc", "Shared buffer with pause frames"],
    ["switch.sharedBufferBytes", 9_000_000, "Shared buffer 9 MB"],
    ["classes[0].transport", "qrdma", "High: QRDMA"],
    ["classes[1].goal", "latency", "Medium: aims at its tail latency"],
    ["classes[1].latencyTargetUs", 2500, "Medium latency target 2.5 ms"],
    ["classes[1].latencyTargetUs", null, "Medium latency target empty"],
    ["classes[0].priority", 1, "High priority 1"],
    ["classes[2].dcqcn.set", "hpcc", "Low: HPCC simulator"],
    ["classes[2].dcqcn.cnpIntervalUs", 4, "Low DCQCN CNP interval 4 µs"],
    ["classes[2].dirs.enabled", true, "Low: initial rates by DIRS"],
    ["qos.adaptToInterference", true, "Adapt to interference"],
  ])("%s = %s reads %s", (path, value, words) => {
    expect(describeChange(scenario, { atUs: 0, path, value })).toBe(words);
  });

  it("names the class of a workload whose load changes", () => {
    const traffic = {
      kind: "open-loop",
      offeredGbps: 30,
      size: { kind: "fixed", bytes: 4096 },
    } as const;
    const workloads = scenario.workloads.map((workload) => ({ ...workload, traffic }));
    const change = { atUs: 0, path: "workloads[2].traffic.offeredGbps", value: 60 };
    expect(describeChange({ ...scenario, workloads }, change)).toBe("Low offered 60 Gb/s");
  });

  it("tells which cables fail and which are mended", () => {
    const cable = (from: string, to: string) => ({ from, to });
    const path = "topology.failedLinks";
    const timeline = [
      { atUs: 1000, path, value: [cable("e0.0", "a0.0")] },
      { atUs: 2000, path, value: [cable("a0.0", "e0.0"), cable("h0", "e0.0")] },
      { atUs: 3000, path, value: [] },
    ] as unknown as Change[];
    const told = timeline.map((change) => describeChange({ ...scenario, timeline }, change));
    expect(told).toEqual([
      "e0.0 to a0.0 fails",
      "h0 to e0.0 fails",
      "e0.0 to a0.0 is mended, h0 to e0.0 is mended",
    ]);
  });
});
