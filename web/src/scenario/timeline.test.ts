import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/presets/three-writers.json";
import { inForce, withoutChanges } from "./timeline.ts";
import type { Scenario } from "./types.ts";

const scenario = threeWriters as unknown as Scenario;

describe("recorded changes", () => {
  const changed: Scenario = {
    ...scenario,
    timeline: [
      { atUs: 1000, path: "classes[0].transport", value: "dctcp" },
      { atUs: 3000, path: "switch.ecnThresholdPackets", value: 40 },
    ],
  };

  it("are in force one after the other", () => {
    expect(inForce(changed, 1).classes[0]?.transport).toBe("dctcp");
    expect(inForce(changed, 1).switch?.ecnThresholdPackets).toBe(140);
    expect(inForce(changed, 2).switch?.ecnThresholdPackets).toBe(40);
  });

  it("can be dropped, all or by field", () => {
    expect(withoutChanges(changed)).not.toHaveProperty("timeline");
    expect(withoutChanges(changed, "classes[0].transport").timeline).toHaveLength(1);
  });
});
