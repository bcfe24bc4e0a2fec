import type { GraphLink } from "../generated/answers.d.ts";
import { withNodeRenamed, withoutNotesOf } from "./notes.ts";
import { withServers } from "./reshape.ts";
import { roles } from "./topology.ts";
import type { Scenario, Shape } from "./types.ts";
import { withTimeline } from "./workloads.ts";

/** A network that is drawn node by node. */
export type Drawn = Extract<Shape, { kind: "custom" }>;
export type DrawnNode = Drawn["nodes"][number];
export type Cable = NonNullable<Scenario["topology"]["failedLinks"]>[number];

/** The network of a generator as it is drawn: what the engine laid out, with a place for every node. */
export interface Laid {
  readonly nodes: readonly {
    readonly name: string;
    readonly kind: "host" | "switch";
    readonly x: number;
    readonly y: number;
  }[];
  /** Both directions of every cable, one after the other. */
  readonly links: readonly GraphLink[];
}

/** What became of an edit: another scenario, or why it cannot be made. */
export type Edited = { readonly scenario: Scenario } | { readonly refusal: string };

/** Distances on a drawing are whole: what is smaller nobody sees. */
const placed = (at: number): number => Math.round(at);

/**
 * The scenario with its network node by node, where a generator made it so far: the same nodes and cables in the same order,
 * so that a run goes as before. Hosts that were drawn as storage servers are listed as such.
 */
export function drawnScenario(scenario: Scenario, laid: Laid): Scenario {
  const { topology } = scenario;
  if (topology.shape.kind === "custom") return withPlaces(scenario, laid);
  const own = topology.linkGbps ?? 100;
  const servers = roles(scenario).flatMap((role, number) => {
    const host = laid.nodes.filter(({ kind }) => kind === "host")[number]?.name;
    return role === "storage" && host !== undefined ? [{ host }] : [];
  });
  const nodes = laid.nodes.map(({ name, kind, x, y }) => ({
    name,
    role: kind,
    position: { x: placed(x), y: placed(y) },
  }));
  const links = laid.links.flatMap(({ from, to, gbps }, number) => {
    const [a, b] = [laid.nodes[from]?.name, laid.nodes[to]?.name];
    if (number % 2 === 1 || a === undefined || b === undefined) return [];
    return [{ from: a, to: b, ...(gbps !== own && { gbps }) }];
  });
  const shape = { kind: "custom", nodes, links } as unknown as Drawn;
  return {
    ...withServers(scenario, scenario.storage?.servers?.length ? scenario.storage.servers : servers),
    topology: { ...topology, shape },
  };
}

/** Every node gets the place that it is drawn at, where it has none. */
function withPlaces(scenario: Scenario, laid: Laid): Scenario {
  const shape = drawnOf(scenario);
  if (!shape || shape.nodes.every(({ position }) => position)) return scenario;
  const at = new Map(laid.nodes.map(({ name, x, y }) => [name, { x: placed(x), y: placed(y) }]));
  const nodes = shape.nodes.map((node) => ({
    ...node,
    position: node.position ?? at.get(node.name) ?? { x: 0, y: 0 },
  }));
  return withShape(scenario, { ...shape, nodes: nodes as unknown as Drawn["nodes"] });
}

export const drawnOf = ({ topology: { shape } }: Scenario): Drawn | null =>
  shape.kind === "custom" ? shape : null;

const withShape = (scenario: Scenario, shape: Drawn): Scenario => ({
  ...scenario,
  topology: { ...scenario.topology, shape },
});

/** A name that no node has: the letter and the least number that is free. */
function freeName({ nodes }: Drawn, letter: string): string {
  const taken = new Set(nodes.map(({ name }) => name));
  let number = 0;
  while (taken.has(`${letter}${number}`)) number++;
  return `${letter}${number}`;
}

/** The switch that stands nearest to a place; undefined where there is none. */
function nearestSwitch({ nodes }: Drawn, x: number, y: number, but = ""): string | undefined {
  const distance = ({ position }: DrawnNode) => Math.hypot((position?.x ?? 0) - x, (position?.y ?? 0) - y);
  return nodes
    .filter(({ role, name }) => role === "switch" && name !== but)
    .toSorted((a, b) => distance(a) - distance(b))[0]?.name;
}

export type NewNode = "host" | "storage" | "switch";

/** Adds a node, linked to the nearest switch. Returns its name, too. */
export function withNode(
  scenario: Scenario,
  kind: NewNode,
  x: number,
  y: number,
): Edited & { readonly name?: string } {
  const shape = drawnOf(scenario);
  if (!shape) return { refusal: "The network is not drawn yet." };
  const role = kind === "switch" ? "switch" : "host";
  const name = freeName(shape, kind === "switch" ? "sw" : kind === "storage" ? "s" : "h");
  const near = nearestSwitch(shape, x, y);
  if (near === undefined) return { refusal: "There is no switch to link it to. Add a switch first." };
  const node = { name, role, position: { x: placed(x), y: placed(y) } };
  const next = withShape(scenario, {
    ...shape,
    nodes: [...shape.nodes, node] as unknown as Drawn["nodes"],
    links: [...shape.links, { from: name, to: near }] as unknown as Drawn["links"],
  });
  const servers = scenario.storage?.servers ?? [];
  return { name, scenario: kind === "storage" ? withServers(next, [...servers, { host: name }]) : next };
}

/** Moves nodes by a distance. */
export function withMoved(scenario: Scenario, names: ReadonlySet<string>, dx: number, dy: number): Scenario {
  const shape = drawnOf(scenario);
  if (!shape || (placed(dx) === 0 && placed(dy) === 0)) return scenario;
  const nodes = shape.nodes.map((node) =>
    names.has(node.name)
      ? {
          ...node,
          position: { x: placed((node.position?.x ?? 0) + dx), y: placed((node.position?.y ?? 0) + dy) },
        }
      : node,
  );
  return withShape(scenario, { ...shape, nodes: nodes as unknown as Drawn["nodes"] });
}

/** Whether a link joins two nodes, whichever way it is written. */
export const joins = (link: Cable, a: string, b: string): boolean =>
  (link.from === a && link.to === b) || (link.from === b && link.to === a);

/** Joins two nodes. A host has one cable: where it had one, that is replaced. */
export function withLink(scenario: Scenario, a: string, b: string): Edited {
  const shape = drawnOf(scenario);
  if (!shape) return { refusal: "The network is not drawn yet." };
  if (a === b) return { refusal: `${a} cannot be linked to itself.` };
  const missing = [a, b].find((name) => !shape.nodes.some((node) => node.name === name));
  if (missing !== undefined) return { refusal: `There is no ${missing}.` };
  if (shape.links.some((link) => joins(link, a, b))) return { refusal: `${a} and ${b} are linked already.` };
  const isHost = (name: string) => shape.nodes.some((node) => node.name === name && node.role === "host");
  if (isHost(a) && isHost(b)) return { refusal: "Two hosts are joined by a switch, not by a cable." };
  const host = [a, b].find(isHost);
  const kept = shape.links.filter((link) => host === undefined || (link.from !== host && link.to !== host));
  const gone = shape.links.filter((link) => !kept.includes(link));
  const next = withShape(scenario, {
    ...shape,
    links: [...kept, { from: a, to: b }] as unknown as Drawn["links"],
  });
  return {
    scenario: withoutFailures(next, (cable) => gone.some((link) => joins(cable, link.from, link.to))),
  };
}

/** Takes out the cables between two nodes. */
export function withoutLink(scenario: Scenario, a: string, b: string): Edited {
  const shape = drawnOf(scenario);
  if (!shape) return { refusal: "The network is not drawn yet." };
  const links = shape.links.filter((link) => !joins(link, a, b));
  const host = shape.nodes.find(({ name, role }) => role === "host" && (name === a || name === b));
  if (host) return { refusal: `${host.name} has no other cable. Link it to another switch, or remove it.` };
  const next = withShape(scenario, { ...shape, links: links as unknown as Drawn["links"] });
  return { scenario: withoutFailures(next, (cable) => joins(cable, a, b)) };
}

/** Sets rate or delay of cables, by the names of their ends; null: what the network has. */
export function withCables(
  scenario: Scenario,
  cables: readonly Cable[],
  part: { readonly gbps?: number | null; readonly delayUs?: number | null },
): Scenario {
  const shape = drawnOf(scenario);
  if (!shape) return scenario;
  const links = shape.links.map((link) => {
    if (!cables.some(({ from, to }) => joins(link, from, to))) return link;
    const { gbps, delayUs, ...rest } = { ...link, ...part };
    return {
      ...rest,
      ...(gbps !== null && gbps !== undefined && { gbps }),
      ...(delayUs !== null && delayUs !== undefined && { delayUs }),
    };
  });
  return withShape(scenario, { ...shape, links: links as unknown as Drawn["links"] });
}

/** Workloads that name a host. */
export function workloadsOf({ workloads }: Scenario, host: string): readonly string[] {
  const names = workloads.flatMap(({ class: name, endpoints }) => {
    const hosts =
      endpoints.kind === "pairs"
        ? [...endpoints.initiators, ...endpoints.targets]
        : endpoints.kind === "incast"
          ? [endpoints.target]
          : [];
    return hosts.includes(host) ? [name] : [];
  });
  return [...new Set(names)];
}

/** Takes out nodes, their cables and what is noted of them alone. A host that a workload names stays; a switch that alone holds hosts takes none with it. */
export function withoutNodes(scenario: Scenario, names: ReadonlySet<string>): Edited {
  const shape = drawnOf(scenario);
  if (!shape) return { refusal: "The network is not drawn yet." };
  for (const name of names) {
    const users = workloadsOf(scenario, name);
    if (users.length > 0)
      return { refusal: `${name} carries traffic of ${users.join(", ")}. Give that another host first.` };
  }
  const links = shape.links.filter(({ from, to }) => !names.has(from) && !names.has(to));
  const stranded = shape.nodes.find(
    ({ name, role }) =>
      role === "host" && !names.has(name) && !links.some(({ from, to }) => from === name || to === name),
  );
  if (stranded)
    return { refusal: `${stranded.name} would have no cable left. Link it to another switch first.` };
  const servers = (scenario.storage?.servers ?? []).filter(({ host }) => !names.has(host));
  const next = withServers(
    withShape(scenario, {
      ...shape,
      nodes: shape.nodes.filter(({ name }) => !names.has(name)) as unknown as Drawn["nodes"],
      links: links as unknown as Drawn["links"],
    }),
    servers,
  );
  const kept = withoutFailures(next, ({ from, to }) => names.has(from) || names.has(to));
  return { scenario: withoutNotesOf(kept, names) };
}

/** Gives a node another name, everywhere. */
export function withName(scenario: Scenario, name: string, next: string): Edited {
  const shape = drawnOf(scenario);
  if (!shape) return { refusal: "The network is not drawn yet." };
  if (next === name) return { scenario };
  if (next.trim() === "") return { refusal: "A node needs a name." };
  if (shape.nodes.some((node) => node.name === next)) return { refusal: `There is a ${next} already.` };
  const renamed = (text: string) => (text === name ? next : text);
  const ends = <T extends Cable>(link: T): T => ({ ...link, from: renamed(link.from), to: renamed(link.to) });
  const drawn = withShape(scenario, {
    ...shape,
    nodes: shape.nodes.map((node) => ({ ...node, name: renamed(node.name) })) as unknown as Drawn["nodes"],
    links: shape.links.map(ends) as unknown as Drawn["links"],
  });
  const servers = scenario.storage?.servers?.map((server) => ({ ...server, host: renamed(server.host) }));
  const workloads = drawn.workloads.map((workload) => {
    const { endpoints } = workload;
    if (endpoints.kind === "pairs") {
      const { initiators, targets } = endpoints;
      return {
        ...workload,
        endpoints: { ...endpoints, initiators: initiators.map(renamed), targets: targets.map(renamed) },
      };
    }
    return endpoints.kind === "incast"
      ? { ...workload, endpoints: { ...endpoints, target: renamed(endpoints.target) } }
      : workload;
  });
  const named = withoutFailures(
    { ...withServers(drawn, servers ?? []), workloads } as Scenario,
    () => false,
    ends,
  );
  return { scenario: withNodeRenamed(named, name, next) };
}

/** Adds traffic of a class from a host to a server, or removes it; a target that is no server yet becomes one. */
export function withTraffic(
  scenario: Scenario,
  className: string,
  initiator: string,
  target: string,
): Edited {
  const relay = drawnOf(scenario)?.nodes.find(
    ({ name, role }) => role === "switch" && (name === initiator || name === target),
  );
  if (relay) return { refusal: `${relay.name} is a switch. Draw from a host to a storage server.` };
  if (initiator === target) return { refusal: `${initiator} cannot be its own server here.` };
  const at = scenario.workloads.findIndex(
    ({ class: name, endpoints }) => name === className && endpoints.kind === "pairs",
  );
  const workload = scenario.workloads[at];
  if (workload?.endpoints.kind !== "pairs") {
    const like = scenario.workloads.find(({ class: name }) => name === className) ?? scenario.workloads[0];
    if (!like) return { refusal: "There is no workload to copy. Add one on the left." };
    const endpoints = { kind: "pairs" as const, initiators: [initiator], targets: [target] };
    const workloads = [...scenario.workloads, { ...like, class: className, endpoints }];
    return { scenario: withTarget({ ...scenario, workloads } as Scenario, target) };
  }
  const { initiators, targets } = workload.endpoints;
  const count = Math.max(initiators.length, targets.length);
  const nth = (list: readonly string[], n: number) => list[list.length === 1 ? 0 : n] ?? "";
  const pairs = Array.from({ length: count }, (_, n) => [nth(initiators, n), nth(targets, n)] as const);
  const others = pairs.filter(([from, to]) => from !== initiator || to !== target);
  if (others.length === 0) return { refusal: `It is the only pair of ${className}. Draw another one first.` };
  const adds = others.length === pairs.length;
  const next = adds ? [...pairs, [initiator, target] as const] : others;
  const endpoints = {
    kind: "pairs" as const,
    initiators: next.map(([from]) => from),
    targets: next.map(([, to]) => to),
  };
  const workloads = scenario.workloads.map((item, index) => (index === at ? { ...item, endpoints } : item));
  const edited = { ...scenario, workloads } as Scenario;
  return { scenario: adds ? withTarget(edited, target) : edited };
}

/** The scenario with a host among its storage servers, if it lists them. */
function withTarget(scenario: Scenario, host: string): Scenario {
  const servers = scenario.storage?.servers ?? [];
  const isListed = servers.length === 0 || servers.some((server) => server.host === host);
  return isListed ? scenario : withServers(scenario, [...servers, { host }]);
}

/** The cables that are down once one of them has changed its state. */
export function toggledFailure(failed: readonly Cable[], cable: Cable): readonly Cable[] {
  const others = failed.filter(({ from, to }) => !joins(cable, from, to));
  return others.length < failed.length ? others : [...failed, { from: cable.from, to: cable.to }];
}

export const FAILED = "topology.failedLinks";

/** Drops failures of cables that are gone, from the network and from what is recorded, and renames the others. */
function withoutFailures(
  scenario: Scenario,
  isGone: (cable: Cable) => boolean,
  named: (cable: Cable) => Cable = (cable) => cable,
): Scenario {
  const kept = (cables: readonly Cable[]) => cables.filter((cable) => !isGone(cable)).map(named);
  const { failedLinks, ...topology } = scenario.topology;
  const left = kept(failedLinks ?? []);
  const next = {
    ...scenario,
    topology: { ...topology, ...(left.length > 0 && { failedLinks: left }) },
  } as Scenario;
  const timeline = scenario.timeline ?? [];
  if (!timeline.some(({ path }) => path === FAILED)) return next;
  return withTimeline(
    next,
    timeline.map((change) =>
      change.path === FAILED ? { ...change, value: kept(change.value as Cable[]) } : change,
    ),
  );
}

/** What of the network cannot be reached: hosts that no path joins with the first one, failures left aside. */
export function unreachable(scenario: Scenario): readonly string[] {
  const shape = drawnOf(scenario);
  const first = shape?.nodes.find(({ role }) => role === "host");
  if (!shape || !first) return [];
  const near = new Map<string, string[]>(shape.nodes.map(({ name }) => [name, []]));
  for (const { from, to } of shape.links) {
    near.get(from)?.push(to);
    near.get(to)?.push(from);
  }
  const seen = new Set([first.name]);
  const queue = [first.name];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    for (const next of near.get(name) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(next);
    }
  }
  return shape.nodes.filter(({ role, name }) => role === "host" && !seen.has(name)).map(({ name }) => name);
}
