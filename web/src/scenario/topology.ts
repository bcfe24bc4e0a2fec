import type { Scenario, Shape, ShapeKind, Workload } from "./types.ts";

/** Number of hosts that a generator makes. */
export function hostCount(shape: Shape): number {
  switch (shape.kind) {
    case "fat-tree":
      return Math.floor(shape.k / 2) ** 2 * shape.k;
    case "leaf-spine":
      return shape.leaves * shape.hostsPerLeaf;
    case "dumbbell":
      return shape.senders + shape.receivers;
    case "custom":
      return shape.nodes.filter((node) => node.role === "host").length;
  }
}

/** Number of switches that a generator makes. */
export function switchCount(shape: Shape): number {
  switch (shape.kind) {
    case "fat-tree":
      return 2 * shape.k * Math.floor(shape.k / 2) + Math.floor(shape.k / 2) ** 2;
    case "leaf-spine":
      return shape.leaves + shape.spines;
    case "dumbbell":
      return shape.switches ?? 2;
    case "custom":
      return shape.nodes.filter((node) => node.role === "switch").length;
  }
}

/** A shape of another kind, large enough for the senders and receivers in use. */
export function defaultShape(kind: Exclude<ShapeKind, "custom">, document: Scenario): Shape {
  const { sources, destinations } = endpointsInUse(document.workloads);
  switch (kind) {
    case "fat-tree":
      return { kind, k: 4 };
    case "leaf-spine":
      return { kind, leaves: 4, spines: 2, hostsPerLeaf: 4 };
    case "dumbbell":
      return {
        kind,
        senders: Math.max(1, sources.length, ...document.workloads.map(drawnSenders)),
        receivers: Math.max(1, destinations.length),
      };
  }
}

/** Hosts that a workload draws to send, instead of naming them. */
function drawnSenders({ endpoints }: Workload): number {
  return endpoints.kind === "incast" ? endpoints.senders : 0;
}

/** Hosts that workloads name. */
function endpointsInUse(workloads: readonly Workload[]) {
  const pairs = workloads.flatMap(({ endpoints }) => (endpoints.kind === "pairs" ? [endpoints] : []));
  const incasts = workloads.flatMap(({ endpoints }) => (endpoints.kind === "incast" ? [endpoints] : []));
  const distinct = (hosts: number[]) => [...new Set(hosts)].sort((a, b) => a - b);
  return {
    sources: distinct(pairs.flatMap((item) => [...item.sources])),
    destinations: distinct([
      ...pairs.flatMap((item) => [...item.destinations]),
      ...incasts.map((item) => item.destination),
    ]),
  };
}

/**
 * The document on another shape. Workloads keep their hosts where they fit; otherwise senders are spread over the first
 * half of the hosts and receivers over the second, in their old order.
 */
export function withShape(document: Scenario, shape: Shape): Scenario {
  const hosts = hostCount(shape);
  const { sources, destinations } = endpointsInUse(document.workloads);
  const split = shape.kind === "dumbbell" ? shape.senders : Math.floor(hosts / 2);
  const keep =
    shape.kind === document.topology.shape.kind &&
    shape.kind !== "dumbbell" &&
    Math.max(...sources, ...destinations) < hosts &&
    sources.every((host) => !destinations.includes(host));
  const spread = (list: number[], host: number, from: number, to: number) => {
    const room = Math.max(1, to - from);
    return Math.min(
      hosts - 1,
      from + (Math.floor((list.indexOf(host) * Math.max(room, list.length)) / list.length) % room),
    );
  };
  const from = (host: number) => (keep ? host : spread(sources, host, 0, split));
  const to = (host: number) => (keep ? host : spread(destinations, host, split, hosts));
  const moved = (workload: Workload): Workload => {
    const { endpoints } = workload;
    switch (endpoints.kind) {
      case "pairs":
        return {
          ...workload,
          endpoints: {
            ...endpoints,
            sources: endpoints.sources.map(from),
            destinations: endpoints.destinations.map(to),
          },
        };
      case "incast":
        return {
          ...workload,
          endpoints: {
            ...endpoints,
            destination: to(endpoints.destination),
            senders: Math.max(1, Math.min(endpoints.senders, hosts - 1)),
          },
        };
      default:
        return workload;
    }
  };
  const storage = document.topology.storageHosts?.every((host) => host < hosts);
  const { storageHosts, ...topology } = document.topology;
  return {
    ...document,
    topology: { ...topology, shape, ...(storage && storageHosts && { storageHosts }) },
    workloads: document.workloads.map(moved),
  };
}
