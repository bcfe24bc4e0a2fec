import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/three-writers.json";
import { explanationOf } from "./explanation.ts";
import { setPath } from "./path.ts";
import { classWeights, queueLevels } from "./storage.ts";
import type { Scenario } from "./types.ts";

const scenario = threeWriters as unknown as Scenario;
const explanation = explanationOf({
  fields: ["high", "medium", "low"].map((value, i) => ({
    path: `classes[${i}].nvmePriority`,
    value,
    source: "derived",
  })),
  metrics: [],
});
const treated = (treatment: string) => setPath(scenario, "storage", { treatment });
const brief = (of: Scenario) =>
  queueLevels(of, explanation).map(({ level, classes, weight }) => [level, classes, weight]);

describe("levels of submission queues", () => {
  it("follow the classes where storage does", () => {
    expect(brief(treated("coordinated"))).toEqual([
      ["high", [0], 3],
      ["medium", [1], 2],
      ["low", [2], 1],
    ]);
    const both = setPath(treated("coordinated"), "classes[2].nvmePriority", "high");
    expect(brief(both)).toEqual([
      ["high", [0, 2], 3],
      ["medium", [1], 2],
    ]);
    expect(classWeights(both, queueLevels(both, explanation))).toEqual([1.5, 2, 1.5]);
  });

  it("are turned round where storage ranks the other way", () => {
    expect(brief(treated("inverted")).map(([, classes]) => classes)).toEqual([[2], [1], [0]]);
  });

  it("are one where storage is agnostic, and by size three of no class", () => {
    expect(brief(treated("agnostic"))).toEqual([["medium", [0, 1, 2], 2]]);
    expect(brief(treated("by-size")).map(([, classes]) => classes)).toEqual([[], [], []]);
    expect(classWeights(treated("agnostic"), queueLevels(treated("agnostic"), explanation))).toBeNull();
  });
});
