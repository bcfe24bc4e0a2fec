import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Drawn } from "./drawing.ts";
import { SCENARIOS } from "./presets.ts";
import { readTopology, withNetwork, writeEdgeList, writeHpcc } from "./topologyFiles.ts";
import type { Scenario } from "./types.ts";

const DEFAULTS = { linkGbps: 100, linkDelayUs: 1 };
const read = (text: string): Drawn => {
  const found = readTopology(text);
  if (!found.ok) throw new Error(`line ${found.line}: ${found.sentence}`);
  return found.shape;
};
const fault = (text: string) => {
  const found = readTopology(text);
  return found.ok ? null : `${found.line}: ${found.sentence}`;
};

/** Networks as they may be drawn: switches in a line, and hosts on them. */
const networks = fc
  .tuple(
    fc.integer({ min: 1, max: 6 }),
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.option(fc.integer({ min: 1, max: 400 })),
        fc.option(fc.integer({ min: 0, max: 50 })),
      ),
      {
        minLength: 2,
        maxLength: 12,
      },
    ),
  )
  .map(([count, hosts]) => {
    const switches = Array.from({ length: count }, (_, at) => `sw${at}`);
    const links = [
      ...hosts.map(([at, gbps, delayUs], host) => ({
        from: `host${host}`,
        to: switches[at % count],
        ...(gbps !== null && { gbps }),
        ...(delayUs !== null && { delayUs }),
      })),
      ...switches.slice(1).map((name, at) => ({ from: switches[at], to: name })),
    ];
    const nodes = [
      ...hosts.map((_, host) => ({ name: `host${host}`, role: "host" })),
      ...switches.map((name) => ({ name, role: "switch" })),
    ];
    return { kind: "custom", nodes, links } as unknown as Drawn;
  });

const rates = ({ links }: Drawn) =>
  links.map(({ gbps, delayUs }) => [gbps ?? DEFAULTS.linkGbps, delayUs ?? DEFAULTS.linkDelayUs]);

describe("a file of a network", () => {
  it("is an edge list: nodes with one link are hosts, others switches, unless it says so", () => {
    const shape = read("# two hosts\nfrom,to,gbps\na, s1, 25, 2\nb\ts1\ns1 s2 100Gbps 500ns\nswitch s2\n");
    expect(shape.nodes).toEqual([
      { name: "a", role: "host" },
      { name: "b", role: "host" },
      { name: "s2", role: "switch" },
      { name: "s1", role: "switch" },
    ]);
    expect(shape.links).toEqual([
      { from: "a", to: "s1", gbps: 25, delayUs: 2 },
      { from: "b", to: "s1" },
      { from: "s1", to: "s2", gbps: 100, delayUs: 0.5 },
    ]);
  });

  it("is the topology of HPCC's simulator: counts, switches, links with units", () => {
    const shape = read(
      "4 2 3\n2\n3\n0 2 100Gbps 1us 0.000000\n1 3 25000Mbps 0.001ms 0\n2 3 400Gbps 1000ns 0\n",
    );
    expect(shape.nodes.map(({ name }) => name)).toEqual(["h0", "h1", "s2", "s3"]);
    expect(shape.links).toEqual([
      { from: "h0", to: "s2", gbps: 100, delayUs: 1 },
      { from: "h1", to: "s3", gbps: 25, delayUs: 1 },
      { from: "s2", to: "s3", gbps: 400, delayUs: 1 },
    ]);
  });

  it.each([
    ["", "1: The file has no links"],
    ["a s\nb s 1Tbps", '2: "1Tbps" is not a rate'],
    ["a s\nb s -3", '2: "-3" is out of range'],
    ["a s\nb s 1 1e9", '2: "1e9" is out of range'],
    ["a s\ns s", "2: s is linked to itself"],
    ["a s\nb s\ns a", "3: s and a are linked already"],
    ["a s\nb", '2: "b" has no other end'],
    ["a b", "1: a and b are both hosts"],
    ['a s\n"b c s', '2: The quotes of "b c s are not closed'],
    ['a s\n"b\\x" s', '2: "b\\x" is no name as JSON has it'],
    ["host a at 3 x", '1: "3 x" is no place'],
    ['a ""', "1: A name has at least one letter"],
    ["host x\na x\nb x", "2: Host x has 2 links; a host has one here"],
    ["3 1 2\n9\n0 2 1Gbps 1us 0", '2: "9" is no number of a node'],
    ["3 1 2\n2\n0 2 1Gbps 1us 0", "3: It says 2 links and has 1"],
    ["9000 1 2\n2\n", "1: It has 9000 nodes"],
    [`${"n".repeat(50)} s`, "1: A name has at most 40 letters"],
  ])("says what is wrong and where: %j", (text, said) => {
    expect(fault(text)).toContain(said);
  });

  it("reads what it writes, in both forms", () => {
    fc.assert(
      fc.property(networks, (shape) => {
        const again = read(writeEdgeList(shape, DEFAULTS));
        expect(new Set(again.nodes.map(({ name, role }) => `${name} ${role}`))).toEqual(
          new Set(shape.nodes.map(({ name, role }) => `${name} ${role}`)),
        );
        expect(rates(again)).toEqual(rates(shape));
        const hpcc = read(writeHpcc(shape, DEFAULTS));
        expect(hpcc.nodes.map(({ role }) => role)).toEqual(shape.nodes.map(({ role }) => role));
        expect(rates(hpcc)).toEqual(rates(shape));
      }),
    );
  });

  it("keeps names in quotes, and where nodes stand", () => {
    const list = '# sheet\nhost "host" at -20 40.5\n"rack, one" "host" 25 1 # its own\nb "rack, one"\n';
    const shape = read(list);
    expect(shape.nodes).toEqual([
      { name: "host", role: "host", position: { x: -20, y: 40.5 } },
      { name: "b", role: "host" },
      { name: "rack, one", role: "switch" },
    ]);
    expect(shape.links[0]).toEqual({ from: "rack, one", to: "host", gbps: 25, delayUs: 1 });
    const again = read(writeEdgeList(shape, DEFAULTS));
    expect(new Set(again.nodes)).toEqual(new Set(shape.nodes));
    expect(rates(again)).toEqual(rates(shape));
  });

  it("answers whatever it is given, soon", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 300 }),
        (text) => readTopology(text).ok !== undefined,
      ),
    );
    const start = performance.now();
    for (const text of [
      "a ".repeat(2_000_000),
      "\0".repeat(4_000_000),
      "x y 1 1\n".repeat(600_000),
      "9".repeat(4_900_000),
    ])
      readTopology(text);
    expect(performance.now() - start).toBeLessThan(8000);
  });
});

describe("a scenario on a network from a file", () => {
  const shape = read("a s1\nb s1\nc s2\nd s2\ns1 s2\n");

  it("keeps hosts that there are, and gives others a place: who asks in front, who answers behind", () => {
    const next = withNetwork(SCENARIOS["three-writers"] as Scenario, shape);
    const endpoints = next.workloads.map((workload) => workload.endpoints);
    expect(endpoints).toEqual([
      { kind: "pairs", initiators: ["a"], targets: ["d"] },
      { kind: "pairs", initiators: ["b"], targets: ["d"] },
      { kind: "pairs", initiators: ["c"], targets: ["d"] },
    ]);
    expect(withNetwork(next, shape)).toEqual(next);
  });

  it("makes nobody its own target but where storage is local, whichever scenario it is", () => {
    for (const scenario of Object.values(SCENARIOS)) {
      for (const { endpoints, protocol } of withNetwork(scenario, shape).workloads) {
        const local = (protocol ?? scenario.access?.protocol) === "local";
        if (endpoints.kind === "incast") expect(endpoints.initiators).toBeLessThan(4);
        if (endpoints.kind !== "pairs") continue;
        const count = Math.max(endpoints.initiators.length, endpoints.targets.length);
        const nth = (list: readonly string[], n: number) => list[list.length === 1 ? 0 : n];
        for (let n = 0; n < count; n++)
          expect(nth(endpoints.initiators, n) === nth(endpoints.targets, n)).toBe(local);
      }
    }
  });

  it("keeps storage servers that the shape made and nobody listed", () => {
    const next = withNetwork(SCENARIOS["three-writers"] as Scenario, shape);
    expect(next.storage?.servers).toEqual([{ host: "d" }]);
  });
});

describe("a network in parts", () => {
  it("is refused with the first host that is apart", () => {
    expect(fault("a s\nb s\nc t\nd t\n")).toBe("3: No path joins c with a. Link the parts of the network.");
  });
});
