import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  drawnOf,
  drawnScenario,
  FAILED,
  type Laid,
  toggledFailure,
  unreachable,
  withCables,
  withLink,
  withMoved,
  withName,
  withNode,
  withoutLink,
  withoutNodes,
  withTraffic,
  workloadsOf,
} from "./drawing.ts";
import { SCENARIOS } from "./presets.ts";
import type { Scenario } from "./types.ts";

/** Two hosts on each of two switches, as a generator lays them out. */
const laid: Laid = {
  nodes: [
    { name: "h0", kind: "host", x: 0, y: 100 },
    { name: "h1", kind: "host", x: 40.4, y: 100 },
    { name: "h2", kind: "host", x: 80, y: 100 },
    { name: "h3", kind: "host", x: 120, y: 100 },
    { name: "left", kind: "switch", x: 20, y: 0 },
    { name: "right", kind: "switch", x: 100, y: 0 },
  ],
  links: [
    [4, 5, 40],
    [0, 4, 100],
    [1, 4, 100],
    [2, 5, 100],
    [3, 5, 100],
  ].flatMap(([from = 0, to = 0, gbps = 0]) => [
    { from, to, gbps },
    { from: to, to: from, gbps },
  ]),
};
const threeWriters = SCENARIOS["three-writers"] as Scenario;
const scenario: Scenario = {
  ...threeWriters,
  topology: { linkGbps: 100, shape: { kind: "dumbbell", senders: 2, receivers: 2, trunkGbps: 40 } },
  workloads: [
    {
      ...threeWriters.workloads[0],
      class: "High",
      endpoints: { kind: "pairs", initiators: ["h0"], targets: ["h2"] },
    } as Scenario["workloads"][number],
  ],
};
const drawn = drawnScenario(scenario, laid);
const done = (edited: ReturnType<typeof withLink>): Scenario => {
  if ("refusal" in edited) throw new Error(edited.refusal);
  return edited.scenario;
};
const refusal = (edited: ReturnType<typeof withLink>) => ("refusal" in edited ? edited.refusal : null);
const links = (of: Scenario) => drawnOf(of)?.links.map(({ from, to }) => `${from} ${to}`) ?? [];

describe("a network that is drawn", () => {
  it("begins as the generator made it, in the same order, with its storage servers listed", () => {
    const shape = drawnOf(drawn);
    expect(shape?.nodes.map(({ name }) => name)).toEqual(["h0", "h1", "h2", "h3", "left", "right"]);
    expect(shape?.nodes[1]?.position).toEqual({ x: 40, y: 100 });
    expect(shape?.links[0]).toEqual({ from: "left", to: "right", gbps: 40 });
    expect(shape?.links[1]).toEqual({ from: "h0", to: "left" });
    expect(drawn.storage?.servers).toEqual([{ host: "h2" }, { host: "h3" }]);
    expect(drawnScenario(drawn, laid)).toBe(drawn);
  });

  it("gets hosts, servers and switches, each linked to the nearest switch", () => {
    const added = withNode(drawn, "storage", 110.6, -20);
    const next = done(added);
    expect(added.name).toBe("s0");
    expect(links(next)).toContain("s0 right");
    expect(next.storage?.servers).toContainEqual({ host: "s0" });
    expect(drawnOf(done(withNode(next, "switch", 0, 0)))?.nodes.at(-1)?.name).toBe("sw0");
  });

  it("moves the cable of a host to another switch, and joins switches by several", () => {
    expect(links(done(withLink(drawn, "h1", "right")))).not.toContain("h1 left");
    const third = done(withNode(drawn, "switch", 0, -50));
    expect(links(done(withLink(third, "sw0", "right")))).toEqual(
      expect.arrayContaining(["sw0 left", "sw0 right"]),
    );
  });

  it.each([
    ["a host to a host", () => withLink(drawn, "h0", "h2"), "joined by a switch"],
    ["a node to itself", () => withLink(drawn, "left", "left"), "to itself"],
    ["twice", () => withLink(drawn, "right", "left"), "linked already"],
  ])("does not join %s", (_, edit, said) => {
    expect(refusal(edit())).toContain(said);
  });

  it("keeps hosts that carry traffic, and hosts that would have no cable left", () => {
    expect(refusal(withoutNodes(drawn, new Set(["h0"])))).toBe(
      "h0 carries traffic of High. Give that another host first.",
    );
    expect(refusal(withoutNodes(drawn, new Set(["left"])))).toContain("h0 would have no cable left");
    expect(refusal(withoutLink(drawn, "h1", "left"))).toContain("h1 has no other cable");
    const next = done(withoutNodes(drawn, new Set(["h3"])));
    expect(links(next)).not.toContain("h3 right");
    expect(next.storage?.servers).toEqual([{ host: "h2" }]);
  });

  it("takes rates and delays of one cable or many, and gives them back", () => {
    const cables = [
      { from: "left", to: "h0" },
      { from: "h1", to: "left" },
    ];
    const slow = withCables(drawn, cables, { gbps: 25, delayUs: 3 });
    expect(drawnOf(slow)?.links.filter(({ gbps }) => gbps === 25)).toHaveLength(2);
    expect(withCables(slow, cables, { gbps: null, delayUs: null })).toEqual(drawn);
  });

  it("renames a node everywhere, once", () => {
    const failing = { ...drawn, topology: { ...drawn.topology, failedLinks: [{ from: "h2", to: "right" }] } };
    const next = done(withName(failing, "h2", "store"));
    expect(workloadsOf(next, "store")).toEqual(["High"]);
    expect(next.topology.failedLinks).toEqual([{ from: "store", to: "right" }]);
    expect(next.storage?.servers).toEqual([{ host: "store" }, { host: "h3" }]);
    expect(refusal(withName(drawn, "h2", "h3"))).toBe("There is a h3 already.");
  });

  it("draws traffic from host to server, and takes it away again", () => {
    const more = done(withTraffic(drawn, "High", "h1", "h3"));
    expect(more.workloads[0]?.endpoints).toEqual({
      kind: "pairs",
      initiators: ["h0", "h1"],
      targets: ["h2", "h3"],
    });
    expect(done(withTraffic(more, "High", "h1", "h3"))).toEqual(drawn);
    expect(refusal(withTraffic(drawn, "High", "h0", "h2"))).toContain("only pair");
    expect(done(withTraffic(drawn, "Low", "h1", "h3")).workloads).toHaveLength(2);
  });

  it("traffic_from_or_to_a_switch_is_refused_and_names_the_switch", () => {
    const sentence = "left is a switch. Draw from a host to a storage server.";
    expect(refusal(withTraffic(drawn, "High", "h1", "left"))).toBe(sentence);
    expect(refusal(withTraffic(drawn, "High", "left", "h2"))).toBe(sentence);
    expect(refusal(withTraffic(drawn, "Low", "left", "right"))).toBe(sentence);
  });

  it("traffic_to_a_plain_host_makes_it_a_listed_storage_server", () => {
    const listed: Scenario = { ...drawn, storage: { ...drawn.storage, servers: [{ host: "h2" }] } };
    const hosts = (next: Scenario) => next.storage?.servers?.map(({ host }) => host);
    expect(hosts(done(withTraffic(listed, "High", "h1", "h0")))).toEqual(["h2", "h0"]);
    expect(hosts(done(withTraffic(listed, "Low", "h1", "h0")))).toEqual(["h2", "h0"]);
    expect(hosts(done(withTraffic(listed, "High", "h1", "h2")))).toEqual(["h2"]);
  });

  it("drops failures of cables that are gone, also those that are recorded", () => {
    const failing: Scenario = {
      ...drawn,
      topology: { ...drawn.topology, failedLinks: [{ from: "right", to: "h3" }] },
      timeline: [{ atUs: 5, path: FAILED, value: [{ from: "h3", to: "right" }] }],
    };
    const next = done(withoutNodes(failing, new Set(["h3"])));
    expect(next.topology.failedLinks).toBeUndefined();
    expect(next.timeline).toEqual([{ atUs: 5, path: FAILED, value: [] }]);
  });

  it("fails and mends a cable, whichever way it is written", () => {
    const once = toggledFailure([], { from: "h0", to: "left" });
    expect(once).toEqual([{ from: "h0", to: "left" }]);
    expect(toggledFailure(once, { from: "left", to: "h0" })).toEqual([]);
  });

  it("tells which hosts nothing joins with the others", () => {
    expect(unreachable(drawn)).toEqual([]);
    expect(unreachable(done(withoutLink(drawn, "left", "right")))).toEqual(["h2", "h3"]);
  });

  it("keeps every host at one cable, whatever is drawn", () => {
    const name = fc.constantFrom("h0", "h1", "h2", "h3", "left", "right", "h4", "sw0", "s0");
    const edit = fc.oneof(
      fc.tuple(name, name).map(
        ([a, b]) =>
          (of: Scenario) =>
            withLink(of, a, b),
      ),
      fc.tuple(name, name).map(
        ([a, b]) =>
          (of: Scenario) =>
            withoutLink(of, a, b),
      ),
      name.map((a) => (of: Scenario) => withoutNodes(of, new Set([a]))),
      fc
        .constantFrom("host" as const, "switch" as const, "storage" as const)
        .map((kind) => (of: Scenario) => withNode(of, kind, 10, 10)),
      name.map((a) => (of: Scenario) => ({ scenario: withMoved(of, new Set([a]), 7, -3) })),
    );
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 20 }), (edits) => {
        const end = edits.reduce((of, one) => {
          const edited = one(of);
          return "refusal" in edited ? of : edited.scenario;
        }, drawn);
        const shape = drawnOf(end);
        const cables = (host: string) =>
          shape?.links.filter(({ from, to }) => from === host || to === host).length;
        for (const node of shape?.nodes ?? []) if (node.role === "host") expect(cables(node.name)).toBe(1);
        const names = shape?.nodes.map((node) => node.name) ?? [];
        expect(new Set(names).size).toBe(names.length);
        for (const { from, to } of shape?.links ?? [])
          expect(names).toEqual(expect.arrayContaining([from, to]));
      }),
    );
  });
});
