import { describe, expect, it } from "vitest";
import { firstScenario } from "./first.ts";
import { setPaths } from "./path.ts";
import { besideFirst, changesSince, triesOf, withStory } from "./story.ts";
import type { Scenario } from "./types.ts";

const tries = [
  { label: "Agnostic", changes: [{ path: "storage.treatment", value: "agnostic" }] },
  {
    label: "Slow network",
    changes: [
      { path: "topology.linkGbps", value: 10 },
      { path: "topology.baseRttUs", value: null },
    ],
  },
];
const scenario = {
  ...firstScenario,
  topology: { ...firstScenario.topology, linkGbps: 40, baseRttUs: 25 },
  story: { text: "", tries },
} as unknown as Scenario;

describe("what a scenario offers to try", () => {
  it("is off at first, and turned on by its values", () => {
    const [agnostic, slow] = triesOf(scenario, scenario);
    expect(agnostic).toMatchObject({ label: "Agnostic", on: false, changes: tries[0]?.changes });
    expect(slow).toMatchObject({ on: false, changes: tries[1]?.changes });
  });

  it("is on where all its values are in force, and turned off by those that the scenario was opened with", () => {
    const slowed = setPaths(scenario, tries[1]?.changes ?? []);
    const [agnostic, slow] = triesOf(slowed, scenario);
    expect(agnostic?.on).toBe(false);
    expect(slow).toMatchObject({
      on: true,
      changes: [
        { path: "topology.linkGbps", value: 40 },
        { path: "topology.baseRttUs", value: 25 },
      ],
    });
    expect(setPaths(slowed, slow?.changes ?? [])).toEqual(scenario);
  });

  it("is turned off by the defaults where the scenario was opened with its values", () => {
    const agnostic = setPaths(scenario, tries[0]?.changes ?? []);
    expect(triesOf(agnostic, agnostic)[0]).toMatchObject({
      on: true,
      changes: [{ path: "storage.treatment", value: "coordinated" }],
    });
  });

  it("is nothing where it offers nothing", () => {
    const { story: _, ...silent } = scenario;
    expect(triesOf(silent as Scenario, silent as Scenario)).toEqual([]);
  });
});

describe("a story that is written", () => {
  it("offers what has other values now than when the scenario was opened", () => {
    const live = { atUs: 5, path: "switch.ecnThresholdPackets", value: 60 };
    const shown = setPaths({ ...scenario, timeline: [live] } as Scenario, [
      { path: "switch.ecnThresholdPackets", value: 60 },
      { path: "topology.baseRttUs", value: null },
    ]);
    expect(changesSince(scenario as unknown as Scenario, shown)).toEqual([
      { path: "topology.baseRttUs", value: null },
      { path: "switch.ecnThresholdPackets", value: 60 },
    ]);
  });

  it("has no list that is empty", () => {
    const { story: _, ...silent } = firstScenario;
    const story = withStory(silent as Scenario, { text: "Look.", claims: [] }).story;
    expect(story).toEqual({ text: "Look." });
  });
});

describe("what stands beside a scenario at first", () => {
  it("is the scenario with the first thing to try that is off, by its name", () => {
    expect(besideFirst(scenario, scenario)).toMatchObject({
      name: "Agnostic",
      storage: { treatment: "agnostic" },
      topology: { linkGbps: 40 },
    });
    const agnostic = setPaths(scenario, tries[0]?.changes ?? []);
    expect(besideFirst(agnostic, scenario)).toMatchObject({
      name: "Slow network",
      topology: { linkGbps: 10 },
    });
  });

  it("is the scenario as it was opened where there is nothing to try", () => {
    const { story: _, ...plain } = scenario;
    const edited = setPaths(plain as Scenario, [{ path: "topology.linkGbps", value: 10 }]);
    expect(besideFirst(edited, plain as Scenario)).toEqual(plain);
  });
});
