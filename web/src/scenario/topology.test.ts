import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/presets/three-writers.json";
import { hostCount, hostNames, roles, sites } from "./topology.ts";
import type { Scenario } from "./types.ts";

const scenario = threeWriters as unknown as Scenario;

describe("shapes", () => {
  it("have as many hosts as the generators make", () => {
    expect(hostCount({ kind: "fat-tree", k: 4 })).toBe(16);
    expect(hostCount({ kind: "leaf-spine", leaves: 4, spines: 2, hostsPerLeaf: 3 })).toBe(12);
  });

  it("have their storage servers in the second half, on the receiving side, or where a list says", () => {
    const storage = (item: Pick<Scenario, "topology" | "storage">) =>
      roles(item).flatMap((role, host) => (role === "storage" ? [host] : []));
    expect(storage(scenario)).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    const topology = { shape: { kind: "dumbbell", senders: 3, receivers: 2 } } as const;
    expect(storage({ topology })).toEqual([3, 4]);
    expect(storage({ ...scenario, storage: { servers: [{ host: "h2" }, { host: "h5" }] } })).toEqual([2, 5]);
  });

  it("name their hosts by number, or as a person has", () => {
    expect(hostNames({ kind: "dumbbell", senders: 2, receivers: 1 })).toEqual(["h0", "h1", "h2"]);
    const nodes = [
      { name: "b", role: "host" },
      { name: "s", role: "switch" },
      { name: "a", role: "host" },
    ] as const;
    expect(hostNames({ kind: "custom", nodes, links: [] })).toEqual(["b", "a"]);
  });

  it("have racks within pods", () => {
    expect(sites({ kind: "fat-tree", k: 4 })[6]).toEqual({ pod: 1, rack: 3 });
    expect(sites({ kind: "leaf-spine", leaves: 4, spines: 2, hostsPerLeaf: 3 })[5]).toEqual({
      pod: 1,
      rack: 1,
    });
  });
});
