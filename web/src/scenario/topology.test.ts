import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/three-writers.json";
import { hostCount, roles, sites, switchCount } from "./topology.ts";
import type { Scenario } from "./types.ts";

const scenario = threeWriters as unknown as Scenario;

describe("shapes", () => {
  it("have as many hosts and switches as the generators make", () => {
    expect([hostCount({ kind: "fat-tree", k: 4 }), switchCount({ kind: "fat-tree", k: 4 })]).toEqual([
      16, 20,
    ]);
    expect(hostCount({ kind: "leaf-spine", leaves: 4, spines: 2, hostsPerLeaf: 3 })).toBe(12);
  });

  it("have their storage servers in the second half, on the receiving side, or where a list says", () => {
    const storage = (topology: Scenario["topology"]) =>
      roles(topology).flatMap((role, host) => (role === "storage" ? [host] : []));
    expect(storage(scenario.topology)).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    expect(storage({ shape: { kind: "dumbbell", senders: 3, receivers: 2 } })).toEqual([3, 4]);
    expect(storage({ ...scenario.topology, storageHosts: [2, 5] })).toEqual([2, 5]);
  });

  it("have racks within pods", () => {
    expect(sites({ kind: "fat-tree", k: 4 })[6]).toEqual({ pod: 1, rack: 3 });
    expect(sites({ kind: "leaf-spine", leaves: 4, spines: 2, hostsPerLeaf: 3 })[5]).toEqual({
      pod: 1,
      rack: 1,
    });
  });
});
