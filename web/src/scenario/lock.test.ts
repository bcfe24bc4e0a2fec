import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/presets/three-writers.json";
import { type Lock, locks, locksStep } from "./lock.ts";
import type { Scenario } from "./types.ts";

const scenario = threeWriters as unknown as Scenario;
const K = "switch.ecnThresholdPackets";

describe("a lock", () => {
  const cases: readonly (readonly [Lock, path: string, held: boolean])[] = [
    [{ all: true, locked: [], free: [] }, K, true],
    [{ all: true, locked: [], free: [K] }, K, false],
    [{ all: true, locked: [], free: ["switch"] }, K, false],
    [{ all: true, locked: [], free: [K] }, "switch", true],
    [{ all: true, locked: [], free: ["classes[].ratio"] }, "classes[2].ratio", false],
    [{ all: true, locked: [], free: ["classes[1].ratio"] }, "classes[2].ratio", true],
    [{ all: false, locked: [K], free: [] }, K, true],
    [{ all: false, locked: [K], free: [] }, "switch.bufferBytes", false],
    // What holds a locked field is not to be replaced with it.
    [{ all: false, locked: [K], free: [] }, "switch", true],
    [{ all: false, locked: ["classes[].ratio"], free: [] }, "classes", true],
    [{ all: false, locked: ["classes"], free: ["classes[].ratio"] }, "classes[0].ratio", false],
    [{ all: false, locked: ["classes"], free: ["classes[].ratio"] }, "classes[0].transport", true],
    [{ all: false, locked: ["switch.ecn"], free: [] }, K, false],
  ];
  for (const [lock, path, held] of cases) {
    it(`${JSON.stringify(lock)} ${held ? "holds" : "leaves"} ${path}`, () => {
      expect(locks(lock, path)).toBe(held);
    });
  }

  it("lets a whole scenario change beside what it holds", () => {
    const lock: Lock = { all: false, locked: ["classes[].ratio"], free: [] };
    expect(locksStep(lock, scenario, { ...scenario, seed: 3 })).toBe(false);
    expect(locksStep(lock, scenario, { ...scenario, classes: scenario.classes.slice(1) })).toBe(true);
    expect(locksStep({ ...lock, all: true }, scenario, scenario)).toBe(true);
  });
});
