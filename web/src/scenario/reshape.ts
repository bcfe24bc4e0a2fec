import { groups, least } from "d3-array";
import { getPath, setPath } from "./path.ts";
import { fieldAt } from "./schema.ts";
import { hostCount, hostNames, hostNumbers, type Role, roles, sites } from "./topology.ts";
import type { Scenario, Shape, ShapeKind, Workload } from "./types.ts";

type Endpoints = Workload["endpoints"];

/** A host that is a storage server, with its devices where it lists them. */
export type Server = NonNullable<NonNullable<Scenario["storage"]>["servers"]>[number];

/** Hosts in racks in pods. */
type Pods = readonly (readonly (readonly number[])[])[];

/** Path of the shape, and the beginning of the paths of its parameters. */
const SHAPE = "topology.shape";

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
  const { storage, workloads } = moved(untouched ? origin : scenario, shape);
  return {
    ...withServers(scenario, storage?.servers),
    topology: { ...scenario.topology, shape },
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
    endpoints.kind === "incast" ? endpoints.initiators : 0,
  );
  const compute = Math.max(1, used.filter((role) => role === "compute").length, ...drawn);
  const storage = Math.max(1, used.filter((role) => role === "storage").length);
  const half = Math.max(compute, storage);
  switch (kind) {
    case "fat-tree": {
      let k = 4;
      const most = fieldAt(`${SHAPE}.k`, { topology: { shape: { kind, k } } }).maximum ?? k;
      while (hostCount({ kind, k }) < 2 * half && k < most) k += 2;
      return { kind, k };
    }
    case "leaf-spine":
      return { kind, leaves: 4, spines: 2, hostsPerLeaf: Math.max(4, Math.ceil(half / 2)) };
    case "dumbbell":
      return { kind, senders: compute, receivers: storage };
  }
}

/** Everything about a scenario that names hosts. */
const hostsOf = ({ storage, workloads }: Scenario): string =>
  JSON.stringify([storage?.servers ?? [], workloads.map(({ endpoints }) => endpoints)]);

/** The scenario on another shape, with every host that it names moved from where it stands. A custom graph says itself. */
function moved(scenario: Scenario, shape: Shape): Scenario {
  const before = scenario.topology.shape;
  const onShape = { ...scenario, topology: { ...scenario.topology, shape } };
  if (shape.kind === "custom" || JSON.stringify(before) === JSON.stringify(shape)) return onShape;
  const next = withServers(onShape, movedServers(scenario, shape));
  const inUse = rolesInUse(scenario);
  const [rolesBefore, rolesAfter] = [roles(scenario), roles(next)];
  const places = new Map(
    (["compute", "storage"] satisfies Role[]).flatMap((role) => [
      ...placed(
        [...inUse].flatMap(([host, own]) => (own === role ? [host] : [])),
        podsOf(before, (host) => (inUse.get(host) ?? rolesBefore[host]) === role),
        podsOf(shape, (host) => rolesAfter[host] === role || !rolesAfter.includes(role)),
      ),
    ]),
  );
  const [numbers, names] = [hostNumbers(before), hostNames(shape)];
  const to = (name: string) => names[places.get(numbers.get(name) ?? -1) ?? -1] ?? name;
  return {
    ...next,
    workloads: scenario.workloads.map((workload) => ({
      ...workload,
      endpoints: movedEndpoints(workload.endpoints, to, names, isLocal(scenario, workload)),
    })),
  };
}

/**
 * The list of storage servers on another shape; none where there was none. The sides of a dumbbell say it by themselves,
 * unless the servers list their devices.
 */
function movedServers({ topology, storage }: Scenario, shape: Shape): Server[] {
  const servers = storage?.servers ?? [];
  const names = hostNames(shape);
  if (shape.kind === "dumbbell") {
    const listed = servers.some(({ devices = [] }) => devices.length > 0);
    const receivers = names.slice(shape.senders);
    return listed ? receivers.flatMap((host, at) => (servers[at] ? [{ ...servers[at], host }] : [])) : [];
  }
  const room = Math.max(1, Math.floor(hostCount(shape) / 2));
  const everyHost = () => true;
  const numbers = hostNumbers(topology.shape);
  const hosts = servers.slice(0, room).map(({ host }) => numbers.get(host) ?? 0);
  const places = placed(hosts, podsOf(topology.shape, everyHost), podsOf(shape, everyHost));
  return [...places.values()].flatMap((place, at) => {
    const [server, host] = [servers[at], names[place]];
    return server && host !== undefined ? [{ ...server, host }] : [];
  });
}

/** Initiators that are their own targets. */
const isLocal = ({ access }: Scenario, { protocol }: Scenario["workloads"][number]): boolean =>
  (protocol ?? access?.protocol) === "local";

/** The scenario with other servers, and all else that it says of storage. Without any the section says nothing of them. */
export function withServers(
  { storage = {}, ...scenario }: Scenario,
  servers: readonly Server[] = [],
): Scenario {
  const { servers: _, ...others } = storage;
  const own = servers.length > 0 ? { ...others, servers } : others;
  return Object.keys(own).length > 0 ? { ...scenario, storage: own } : scenario;
}

/**
 * What the hosts that workloads name are for, by number, in the order in which they are named. In a custom graph without a
 * list of storage servers, those are the hosts that are targets only.
 */
function rolesInUse(scenario: Scenario): Map<number, Role> {
  const { topology, workloads } = scenario;
  const own = roles(scenario);
  const numbers = hostNumbers(topology.shape);
  const numbered = (names: readonly string[]) => names.flatMap((name) => numbers.get(name) ?? []);
  const initiators = workloads.flatMap(({ endpoints }) =>
    endpoints.kind === "pairs" ? numbered(endpoints.initiators) : [],
  );
  const targets = workloads.flatMap(({ endpoints }) =>
    endpoints.kind === "pairs"
      ? numbered(endpoints.targets)
      : endpoints.kind === "incast"
        ? numbered([endpoints.target])
        : [],
  );
  const issuing = new Set(initiators);
  const unlisted = topology.shape.kind === "custom" && !own.includes("storage");
  const roleOf = (host: number): Role =>
    unlisted && !issuing.has(host) ? "storage" : (own[host] ?? "compute");
  return new Map([...initiators, ...targets].map((host) => [host, roleOf(host)]));
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

function movedEndpoints(
  endpoints: Endpoints,
  to: (host: string) => string,
  hosts: readonly string[],
  local: boolean,
): Endpoints {
  switch (endpoints.kind) {
    case "pairs": {
      if (local) {
        const own = endpoints.initiators.map(to);
        return { ...endpoints, initiators: own, targets: own };
      }
      const [initiators, targets] = apart(endpoints.initiators.map(to), endpoints.targets.map(to), hosts);
      return { ...endpoints, initiators, targets };
    }
    case "incast": {
      const initiators = Math.max(1, Math.min(endpoints.initiators, hosts.length - 1));
      return { ...endpoints, target: to(endpoints.target), initiators };
    }
    default:
      return endpoints;
  }
}

/** Nobody is its own target: an initiator that came to share the host of its target takes the next one. */
function apart(initiators: string[], targets: string[], hosts: readonly string[]): [string[], string[]] {
  const count = Math.max(initiators.length, targets.length);
  const nth = (list: string[], n: number) => list[list.length === 1 ? 0 : n] ?? "";
  const pairs = Array.from({ length: count }, (_, n) => [nth(initiators, n), nth(targets, n)] as const);
  if (pairs.every(([initiator, target]) => initiator !== target)) return [initiators, targets];
  const next = (host: string) => hosts[(hosts.indexOf(host) + 1) % hosts.length] ?? host;
  return [
    pairs.map(([initiator, target]) => (initiator === target ? next(initiator) : initiator)),
    pairs.map(([, target]) => target),
  ];
}
