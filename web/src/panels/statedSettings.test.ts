import { describe, expect, it } from "vitest";
import { setPath, setPaths } from "../scenario/path.ts";
import { SCENARIOS } from "../scenario/presets.ts";
import type { Scenario } from "../scenario/types.ts";
import { statedSettings } from "./statedSettings.ts";

const threeWriters = SCENARIOS["three-writers"] as Scenario;

/** Settings of a part of a scenario, by name. */
const part = (scenario: Scenario, title: string) =>
  Object.fromEntries(statedSettings(scenario).find((group) => group.title === title)?.settings ?? []);

describe("settings that are not at their defaults", () => {
  it("stand part by part with their units", () => {
    expect(part(threeWriters, "Run")).toEqual({ Duration: "20 ms" });
    expect(part(threeWriters, "Workload of High")).toMatchObject({
      Endpoints: "h0 → h12",
      Traffic: "Closed loop",
      Outstanding: "16 requests",
      "Size: To": "31 blocks",
    });
  });

  it("are those that were changed, and none that are stated as they are by default", () => {
    const changed = setPaths(threeWriters, [
      { path: "switch.bufferPackets", value: 77 },
      { path: "host.mtuBytes", value: 1500 },
    ]);
    expect(part(changed, "Switch")).toMatchObject({ "Port buffer": "77 packets" });
    expect(JSON.stringify(statedSettings(changed))).not.toContain("MTU");
  });

  it("tell ratio and transport of every class in any case", () => {
    const plain = setPath(threeWriters, "classes[2]", { name: "Low" });
    expect(part(plain, "Class Low")).toEqual({ Ratio: "1", Transport: expect.stringMatching(/\w/) });
  });

  it("tell what changes during the run, and when", () => {
    const timeline = [{ atUs: 2500, path: "topology.linkGbps", value: 10 }];
    expect(part({ ...threeWriters, timeline } as Scenario, "Changes during the run")).toEqual({
      "2.5 ms": expect.stringContaining("10 Gb/s"),
    });
  });

  it("can be told of every scenario of the menu", () => {
    for (const scenario of Object.values(SCENARIOS)) expect(statedSettings(scenario)).not.toEqual([]);
  });
});
