import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/three-writers.json";
import { defaultShape, hostCount, switchCount, withShape } from "./topology.ts";
import type { Scenario } from "./types.ts";

const document = threeWriters as unknown as Scenario;
const hosts = (scenario: Scenario) =>
  scenario.workloads.map(({ endpoints }) =>
    endpoints.kind === "pairs" ? [...endpoints.sources, ...endpoints.destinations] : [],
  );

describe("shapes", () => {
  it("counts hosts and switches", () => {
    expect([hostCount({ kind: "fat-tree", k: 4 }), switchCount({ kind: "fat-tree", k: 4 })]).toEqual([
      16, 20,
    ]);
    expect(hostCount({ kind: "leaf-spine", leaves: 4, spines: 2, hostsPerLeaf: 3 })).toBe(12);
  });

  it("keeps endpoints that exist on a larger fat-tree", () => {
    expect(hosts(withShape(document, { kind: "fat-tree", k: 8 }))).toEqual(hosts(document));
  });

  it("moves endpoints into a smaller fat-tree, senders first", () => {
    expect(hosts(withShape(document, { kind: "fat-tree", k: 2 }))).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
  });

  it("gives every sender its own host of a dumbbell", () => {
    const shape = defaultShape("dumbbell", document);
    expect(shape).toMatchObject({ senders: 3, receivers: 1 });
    expect(hosts(withShape(document, shape))).toEqual([
      [0, 3],
      [1, 3],
      [2, 3],
    ]);
  });

  it("keeps an incast within the hosts there are", () => {
    const [first] = document.workloads;
    const incast = {
      ...document,
      workloads: first
        ? [{ ...first, endpoints: { kind: "incast" as const, destination: 12, senders: 15 } }]
        : [],
    };
    const small = withShape(incast, { kind: "fat-tree", k: 2 }).workloads[0]?.endpoints;
    expect(small).toEqual({ kind: "incast", destination: 1, senders: 1 });
    expect(defaultShape("dumbbell", incast)).toMatchObject({ senders: 15, receivers: 1 });
    expect(withShape(incast, { kind: "fat-tree", k: 8 }).workloads).toEqual(incast.workloads);
  });
});
