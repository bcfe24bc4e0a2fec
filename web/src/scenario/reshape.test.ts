import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/presets/three-writers.json";
import { Engine, initSync, validate } from "../generated/wasm/qoscope_wasm.js";
import { setPath } from "./path.ts";
import { SCENARIOS } from "./presets.ts";
import { REFERENCES } from "./references.ts";
import { defaultShape, withShape, withValue } from "./reshape.ts";
import { hostNames, type Role, roles } from "./topology.ts";
import type { Scenario, Shape } from "./types.ts";

const scenario = threeWriters as unknown as Scenario;
const committed = Object.entries({ ...SCENARIOS, ...REFERENCES });

const pairsOf = ({ workloads }: Scenario) =>
  workloads.map(({ endpoints }) =>
    endpoints.kind === "pairs" ? [...endpoints.initiators, ...endpoints.targets] : [],
  );

/** Shapes of every kind that a person may choose for a scenario, too small ones among them. */
const shapesFor = (from: Scenario): Shape[] => [
  ...[2, 4, 6, 8, 10].map((k): Shape => ({ kind: "fat-tree", k })),
  { kind: "leaf-spine", leaves: 2, spines: 1, hostsPerLeaf: 2 },
  { kind: "leaf-spine", leaves: 3, spines: 2, hostsPerLeaf: 3 },
  { kind: "leaf-spine", leaves: 8, spines: 4, hostsPerLeaf: 8 },
  { kind: "dumbbell", senders: 1, receivers: 1 },
  { kind: "dumbbell", senders: 5, receivers: 2, switches: 1 },
  ...(["fat-tree", "leaf-spine", "dumbbell"] as const).map((kind) => defaultShape(kind, from)),
];

/** The one host to which everything is sent, or null. Devices answer, and traces read: not everything goes to a host then. */
function onlyServer({ access, workloads }: Scenario): string | null {
  const oneWay = workloads.every(({ protocol = access?.protocol ?? "direct", traffic }) => {
    return protocol === "direct" && traffic.kind !== "trace" && traffic.kind !== "stand-in";
  });
  if (!oneWay) return null;
  const servers = new Set(
    workloads.flatMap(({ endpoints }) => (endpoints.kind === "pairs" ? endpoints.targets : ["", "any"])),
  );
  return servers.size === 1 ? ([...servers][0] as string) : null;
}

beforeAll(() => {
  const module = new URL("../generated/wasm/qoscope_wasm_bg.wasm", import.meta.url);
  initSync({ module: readFileSync(module) });
});

describe("another shape", () => {
  it("leaves the hosts where they are if it is the same", () => {
    for (const [name, from] of committed) {
      expect(withShape(from, from.topology.shape), name).toEqual(from);
    }
  });

  it("keeps writers in their pods and racks, and the server among the storage servers", () => {
    expect(pairsOf(withShape(scenario, { kind: "fat-tree", k: 8 }))).toEqual([
      ["h0", "h80"],
      ["h4", "h80"],
      ["h16", "h80"],
    ]);
  });

  it("gives every sender its own host of a dumbbell", () => {
    const shape = defaultShape("dumbbell", scenario);
    expect(shape).toEqual({ kind: "dumbbell", senders: 3, receivers: 1 });
    expect(pairsOf(withShape(scenario, shape))).toEqual([
      ["h0", "h3"],
      ["h1", "h3"],
      ["h2", "h3"],
    ]);
  });

  it("shows the server where a parameter of the shape moves it", () => {
    const dumbbell = withShape(scenario, defaultShape("dumbbell", scenario));
    expect(pairsOf(withValue(dumbbell, "topology.shape.senders", 5))).toEqual([
      ["h0", "h5"],
      ["h1", "h5"],
      ["h2", "h5"],
    ]);
  });

  it("forgets a shape in between that was too small, until something else is changed", () => {
    const small = withShape(scenario, { kind: "fat-tree", k: 2 }, scenario);
    expect(pairsOf(small)).toEqual([
      ["h0", "h1"],
      ["h0", "h1"],
      ["h0", "h1"],
    ]);
    expect(withShape(small, { kind: "fat-tree", k: 4 }, scenario)).toEqual(scenario);
    const renamed = setPath(small, "name", "Two hosts");
    expect(pairsOf(withShape(renamed, { kind: "fat-tree", k: 4 }, scenario))).toEqual(pairsOf(scenario));
  });

  it("keeps an incast within the hosts there are", () => {
    const [first] = scenario.workloads;
    const endpoints = { kind: "incast" as const, target: "h12", initiators: 15 };
    const incast = { ...scenario, workloads: first ? [{ ...first, endpoints }] : [] };
    const small = withShape(incast, { kind: "fat-tree", k: 2 }).workloads[0]?.endpoints;
    expect(small).toEqual({ kind: "incast", target: "h1", initiators: 1 });
    expect(defaultShape("dumbbell", incast)).toEqual({ kind: "dumbbell", senders: 15, receivers: 1 });
  });

  it("moves a list of storage servers along", () => {
    const devices = [{ name: "flash", kind: "ssd" as const }];
    const listed = { ...scenario, storage: { servers: [{ host: "h12", devices }] } };
    const large = withShape(listed, { kind: "fat-tree", k: 8 });
    expect(large.storage).toEqual({ servers: [{ host: pairsOf(large)[0]?.[1], devices }] });
    const lying = withShape(listed, { kind: "dumbbell", senders: 3, receivers: 1 });
    expect(lying.storage).toEqual({ servers: [{ host: "h3", devices }] });
  });

  it.each(committed)("is one that the engine takes, with every host in its role: %s", (_, from) => {
    const before = rolesByName(from);
    for (const shape of shapesFor(from)) {
      const to = withShape(from, shape);
      expect(JSON.parse(validate(JSON.stringify(to))), JSON.stringify(shape)).toEqual([]);
      const after = rolesByName(to);
      from.workloads.forEach(({ endpoints }, index) => {
        const moved = to.workloads[index]?.endpoints;
        if (endpoints.kind !== "pairs" || moved?.kind !== "pairs" || from.topology.shape.kind === "custom")
          return;
        const wanted = new Set(endpoints.targets.map((host) => before.get(host)));
        expect(new Set(moved.targets.map((host) => after.get(host)))).toEqual(wanted);
      });
    }
  });

  it.each(
    committed.filter(([, from]) => onlyServer(from) !== null && senders(from) > 1 && mostlyWrites(from)),
  )("leaves the bottleneck at a switch, where all meet on their way to the server: %s", (_, from) => {
    for (const shape of shapesFor(from)) {
      const to = withShape(from, shape);
      if (senders(to) < senders(from)) continue;
      const engine = new Engine(JSON.stringify(to));
      const { graph } = JSON.parse(engine.layout());
      engine.free();
      const bottleneck = graph.links[graph.bottleneck];
      expect(graph.nodes[bottleneck.from].kind, JSON.stringify(shape)).toBe("switch");
      for (const flow of graph.flows) expect(flow.path).toContain(graph.bottleneck);
    }
  });
});

function rolesByName(scenario: Scenario): Map<string, Role | undefined> {
  const own = roles(scenario);
  return new Map(hostNames(scenario.topology.shape).map((name, number) => [name, own[number]]));
}

/** What is read leaves the server by its own port, which then is the bottleneck. */
const mostlyWrites = ({ workloads }: Scenario): boolean =>
  workloads.every(({ readFraction = 0 }) => readFraction <= 0.5);

/** How many hosts issue requests. */
function senders({ workloads }: Scenario): number {
  const initiators = workloads.flatMap(({ endpoints }) =>
    endpoints.kind === "pairs" ? endpoints.initiators : [],
  );
  return new Set(initiators).size;
}
