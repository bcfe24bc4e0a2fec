import { groups, least } from "d3";
import { getPath, setPath } from "./path.ts";
import { hostCount, type Role, roles, sites } from "./topology.ts";
import type { Scenario, Shape, ShapeKind, Workload } from "./types.ts";

type Topology = Scenario["topology"];
type Endpoints = Workload["endpoints"];

/** Hosts in racks in pods. */
type Pods = readonly (readonly (readonly number[])[])[];

/** Path of the shape, and the beginning of the paths of its parameters. */
const SHAPE = "topology.shape";

/** Most ports per switch that the page offers. */
const MAXIMUM_PORTS = 16;

/**
 * The scenario with another value at a path. Another shape, or another parameter of it, moves the endpoints along: see
 * {@link withShape}.
 */
export function withValue(scenario: Scenario, path: string, value: unknown, origin = scenario): Scenario {
  const next = setPath(scenario, path, value);
  if (path !== SHAPE && !path.startsWith(`${SHAPE}.`)) return next;
  return withShape(scenario, getPath(next, SHAPE) as Shape, origin);
}

/**
 * The scenario on another shape, telling the same story: storage servers stay storage servers, what compute hosts send is
 * sent by compute hosts, and hosts that stood in different pods or racks do so again. Where there are too few, some share.
 *
 * As long as only the shape has changed since `origin`, its hosts are the ones that are placed: a shape in between that
 * was too small for them leaves no trace.
 */
export function withShape(scenario: Scenario, shape: Shape, origin = scenario): Scenario {
  const untouched = hostsOf(moved(origin, scenario.topology.shape)) === hostsOf(scenario);
  const { topology, workloads } = moved(untouched ? origin : scenario, shape);
  return {
    ...scenario,
    topology: withStorage({ ...scenario.topology, shape }, topology.storageHosts),
    workloads: scenario.workloads.map((workload, index) => ({
      ...workload,
      endpoints: workloads[index]?.endpoints ?? workload.endpoints,
    })),
  };
}

/** A shape of another kind, large enough for the hosts in use. */
export function defaultShape(kind: Exclude<ShapeKind, "custom">, scenario: Scenario): Shape {
  const used = [...rolesInUse(scenario).values()];
  const drawn = scenario.workloads.map(({ endpoints }) =>
    endpoints.kind === "incast" ? endpoints.senders : 0,
  );
  const compute = Math.max(1, used.filter((role) => role === "compute").length, ...drawn);
  const storage = Math.max(1, used.filter((role) => role === "storage").length);
  const half = Math.max(compute, storage);
  switch (kind) {
    case "fat-tree": {
      let k = 4;
      while (hostCount({ kind, k }) < 2 * half && k < MAXIMUM_PORTS) k += 2;
      return { kind, k };
    }
    case "leaf-spine":
      return { kind, leaves: 4, spines: 2, hostsPerLeaf: Math.max(4, Math.ceil(half / 2)) };
    case "dumbbell":
      return { kind, senders: compute, receivers: storage };
  }
}

/** Everything about a scenario that names hosts. */
const hostsOf = ({ topology, workloads }: Scenario): string =>
  JSON.stringify([topology.storageHosts ?? [], workloads.map(({ endpoints }) => endpoints)]);

/** The scenario on another shape, with every host that it names moved from where it stands. A custom graph says itself. */
function moved(scenario: Scenario, shape: Shape): Scenario {
  const before = scenario.topology;
  if (shape.kind === "custom") return { ...scenario, topology: { ...before, shape } };
  const topology = withStorage({ ...before, shape }, movedStorage(before, shape));
  const inUse = rolesInUse(scenario);
  const [rolesBefore, rolesAfter] = [roles(before), roles(topology)];
  const places = new Map(
    (["compute", "storage"] satisfies Role[]).flatMap((role) => [
      ...placed(
        [...inUse].flatMap(([host, own]) => (own === role ? [host] : [])),
        podsOf(before.shape, (host) => (inUse.get(host) ?? rolesBefore[host]) === role),
        podsOf(shape, (host) => rolesAfter[host] === role || !rolesAfter.includes(role)),
      ),
    ]),
  );
  const hosts = hostCount(shape);
  const to = (host: number) => places.get(host) ?? host;
  return {
    ...scenario,
    topology,
    workloads: scenario.workloads.map((workload) => ({
      ...workload,
      endpoints: movedEndpoints(workload.endpoints, to, hosts),
    })),
  };
}

/** The list of storage servers on another shape; none where there was none, or where the sides of the shape say it. */
function movedStorage({ shape: before, storageHosts = [] }: Topology, shape: Shape): number[] {
  if (shape.kind === "dumbbell") return [];
  const room = Math.max(1, Math.floor(hostCount(shape) / 2));
  const everyHost = () => true;
  const places = placed(storageHosts.slice(0, room), podsOf(before, everyHost), podsOf(shape, everyHost));
  return [...places.values()];
}

function withStorage(
  { storageHosts: _, ...topology }: Topology,
  storageHosts: readonly number[] = [],
): Topology {
  return storageHosts.length > 0 ? { ...topology, storageHosts } : topology;
}

/**
 * What the hosts that workloads name are for, in the order in which they are named. In a custom graph without a list of
 * storage servers, those are the hosts that only receive.
 */
function rolesInUse({ topology, workloads }: Scenario): Map<number, Role> {
  const own = roles(topology);
  const sources = workloads.flatMap(({ endpoints }) => (endpoints.kind === "pairs" ? endpoints.sources : []));
  const destinations = workloads.flatMap(({ endpoints }) =>
    endpoints.kind === "pairs"
      ? endpoints.destinations
      : endpoints.kind === "incast"
        ? [endpoints.destination]
        : [],
  );
  const sending = new Set(sources);
  const unlisted = topology.shape.kind === "custom" && !own.includes("storage");
  const roleOf = (host: number): Role =>
    unlisted && !sending.has(host) ? "storage" : (own[host] ?? "compute");
  return new Map([...sources, ...destinations].map((host) => [host, roleOf(host)]));
}

/** Hosts of a shape in racks in pods, as far as they are wanted. */
function podsOf(shape: Shape, wanted: (host: number) => boolean): Pods {
  const hosts = sites(shape).flatMap((site, host) => (wanted(host) ? [{ ...site, host }] : []));
  return groups(
    hosts,
    ({ pod }) => pod,
    ({ rack }) => rack,
  ).map(([, racks]) => racks.map(([, members]) => members.map(({ host }) => host)));
}

/**
 * A place for each host: the same one in the same rack of the same pod, counted around where there are fewer. A place that
 * is taken is left for the freest host in the freest rack, the next one first.
 */
function placed(hosts: readonly number[], before: Pods, after: Pods): Map<number, number> {
  const places = new Map<number, number>();
  const all = after.flat(2);
  const rackOf = new Map(after.flat().flatMap((rack) => rack.map((host) => [host, rack])));
  const guests = new Map<number, number>();
  const guestsOf = (host: number) => guests.get(host) ?? 0;
  const guestsOfRack = (host: number) =>
    (rackOf.get(host) ?? []).reduce((sum, item) => sum + guestsOf(item), 0);
  for (const host of hosts) {
    const wanted = counterpart(host, before, after);
    const from = all.indexOf(wanted);
    const nearest = [...all.slice(from), ...all.slice(0, from)];
    const place =
      guestsOf(wanted) === 0
        ? wanted
        : least(nearest, (a, b) => guestsOf(a) - guestsOf(b) || guestsOfRack(a) - guestsOfRack(b));
    if (place === undefined) continue;
    guests.set(place, guestsOf(place) + 1);
    places.set(host, place);
  }
  return places;
}

/** The host in the same place of another shape. */
function counterpart(host: number, before: Pods, after: Pods): number {
  const around = <T>(list: readonly T[], index: number) => list[Math.max(0, index) % list.length];
  const pod = before.findIndex((racks) => racks.some((rack) => rack.includes(host)));
  const rack = (before[pod] ?? []).findIndex((members) => members.includes(host));
  const at = (before[pod]?.[rack] ?? []).indexOf(host);
  return around(around(around(after, pod) ?? [], rack) ?? [], at) ?? host;
}

function movedEndpoints(endpoints: Endpoints, to: (host: number) => number, hosts: number): Endpoints {
  switch (endpoints.kind) {
    case "pairs": {
      const [sources, destinations] = apart(endpoints.sources.map(to), endpoints.destinations.map(to), hosts);
      return { ...endpoints, sources, destinations };
    }
    case "incast": {
      const senders = Math.max(1, Math.min(endpoints.senders, hosts - 1));
      return { ...endpoints, destination: to(endpoints.destination), senders };
    }
    default:
      return endpoints;
  }
}

/** Nobody sends to itself: a sender that came to share the host of its receiver takes the next one. */
function apart(sources: number[], destinations: number[], hosts: number): [number[], number[]] {
  const count = Math.max(sources.length, destinations.length);
  const nth = (list: number[], n: number) => list[list.length === 1 ? 0 : n] ?? 0;
  const pairs = Array.from({ length: count }, (_, n) => [nth(sources, n), nth(destinations, n)] as const);
  if (pairs.every(([source, destination]) => source !== destination)) return [sources, destinations];
  return [
    pairs.map(([source, destination]) => (source === destination ? (source + 1) % hosts : source)),
    pairs.map(([, destination]) => destination),
  ];
}
