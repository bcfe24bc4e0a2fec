import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/presets/three-writers.json";
import { offeredChanges, offeredGbps, withClass, withClassName, withoutClass } from "./classes.ts";
import type { Scenario } from "./types.ts";

const scenario = threeWriters as unknown as Scenario;

describe("classes and their workloads", () => {
  it("offers the sum of a class's open-loop workloads and scales them together", () => {
    const traffic = {
      kind: "open-loop",
      offeredGbps: 30,
      size: { kind: "fixed", bytes: 4096 },
    } as const;
    const low = scenario.workloads[2] && { ...scenario.workloads[2], traffic };
    const two = { ...scenario, workloads: [...scenario.workloads.slice(0, 2), ...(low ? [low, low] : [])] };
    expect(offeredGbps(two, 2)).toBe(60);
    expect(offeredChanges(two, 2, 90)).toEqual([
      { path: "workloads[2].traffic.offeredGbps", value: 45 },
      { path: "workloads[3].traffic.offeredGbps", value: 45 },
    ]);
  });

  it("adds a class that sends from a free host", () => {
    const more = withClass(scenario);
    expect(more.classes.at(-1)).toMatchObject({ name: "Class 4", ratio: 1 });
    expect(more.workloads.at(-1)).toMatchObject({
      class: "Class 4",
      endpoints: { initiators: ["h1"], targets: ["h12"] },
    });
  });

  it("removes a class with its traffic and moves recorded changes along", () => {
    const recorded = {
      ...scenario,
      timeline: [
        { atUs: 1, path: "classes[1].ratio", value: 4 },
        { atUs: 2, path: "classes[2].ratio", value: 4 },
        { atUs: 3, path: "workloads[2].traffic.offeredGbps", value: 4 },
        { atUs: 4, path: "switch.ecnThresholdPackets", value: 40 },
      ],
    };
    const fewer = withoutClass(recorded, 1);
    expect(fewer.classes.map((item) => item.name)).toEqual(["High", "Low"]);
    expect(fewer.timeline?.map((change) => change.path)).toEqual([
      "classes[1].ratio",
      "workloads[1].traffic.offeredGbps",
      "switch.ecnThresholdPackets",
    ]);
  });

  it("renames a class where its traffic names it", () => {
    expect(withClassName(scenario, 0, "Gold").workloads[0]?.class).toBe("Gold");
  });
});
