import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differencesOf } from "./differences.ts";
import { setPath } from "./path.ts";
import { SCENARIOS } from "./presets.ts";
import type { Scenario } from "./types.ts";

const threeWriters = SCENARIOS["three-writers"] as Scenario;
const paths = (from: Scenario, to: Scenario) => differencesOf(from, to).map(({ path }) => path);

describe("what differs between two scenarios", () => {
  it("is nothing between one and itself, whatever it is", () => {
    for (const scenario of Object.values(SCENARIOS)) expect(differencesOf(scenario, scenario)).toEqual([]);
  });

  it("is found below sections and lists, with both values", () => {
    const other = setPath(threeWriters, "classes[1].transport", "dctcp");
    expect(differencesOf(threeWriters, other)).toEqual([
      { path: "classes[1].transport", from: "qtcp", to: "dctcp" },
    ]);
  });

  it("takes what is left out for its default", () => {
    expect(paths(threeWriters, setPath(threeWriters, "switch.bufferPackets", 4096))).toHaveLength(1);
    expect(paths(threeWriters, setPath(threeWriters, "switch.marking", "step"))).toEqual([]);
  });

  it("leaves out names, stories and the seed, which a comparison makes the same", () => {
    expect(paths(threeWriters, { ...threeWriters, name: "Other", description: "x", seed: 99 })).toEqual([]);
  });

  it("tells a network of another kind, and a list of another length, as a whole", () => {
    const shape = { kind: "dumbbell", senders: 3, receivers: 1 } as const;
    expect(paths(threeWriters, { ...threeWriters, topology: { ...threeWriters.topology, shape } })).toEqual([
      "topology.shape",
    ]);
    expect(paths(threeWriters, { ...threeWriters, classes: threeWriters.classes.slice(1) })).toContain(
      "classes",
    );
  });

  it("never fails, whichever two scenarios are held against each other", () => {
    const any = fc.constantFrom(...Object.values(SCENARIOS));
    fc.assert(
      fc.property(any, any, (from, to) => {
        const there = differencesOf(from, to);
        const back = differencesOf(to, from);
        expect(new Set(there.map(({ path }) => path))).toEqual(new Set(back.map(({ path }) => path)));
      }),
      { numRuns: 200 },
    );
  });
});
