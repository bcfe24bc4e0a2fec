import type { Scenario, Shape } from "./types.ts";

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

/** Names of the hosts, by number: the order in which the shape makes them. */
export function hostNames(shape: Shape): string[] {
  if (shape.kind === "custom") {
    return shape.nodes.filter((node) => node.role === "host").map((node) => node.name);
  }
  return Array.from({ length: hostCount(shape) }, (_, number) => `h${number}`);
}

/** Numbers of the hosts, by name. */
export const hostNumbers = (shape: Shape): Map<string, number> =>
  new Map(hostNames(shape).map((name, number) => [name, number]));

/** What a host is for. */
export type Role = "compute" | "storage";

/** Where a host stands: hosts of one rack share their first switch, racks of one pod the switches above. */
export interface Site {
  readonly pod: number;
  readonly rack: number;
}

/** Where every host stands, by number. The sides of a dumbbell have no racks: every host there stands for itself. */
export function sites(shape: Shape): Site[] {
  const all = <T>(count: number, site: (host: number) => T): T[] =>
    Array.from({ length: count }, (_, host) => site(host));
  switch (shape.kind) {
    case "fat-tree": {
      const half = Math.floor(shape.k / 2);
      return all(hostCount(shape), (host) => ({
        pod: Math.floor(host / half ** 2),
        rack: Math.floor(host / half),
      }));
    }
    case "leaf-spine":
      return all(hostCount(shape), (host) => {
        const leaf = Math.floor(host / shape.hostsPerLeaf);
        return { pod: leaf, rack: leaf };
      });
    case "dumbbell":
      return all(hostCount(shape), (host) => ({ pod: host, rack: host }));
    case "custom": {
      const switchOf = new Map(
        shape.links.flatMap(({ from, to }) => [
          [from, to],
          [to, from],
        ]),
      );
      const names = shape.nodes.map(({ name }) => name);
      return shape.nodes
        .filter(({ role }) => role === "host")
        .map(({ name }) => {
          const at = names.indexOf(switchOf.get(name) ?? name);
          return { pod: at, rack: at };
        });
    }
  }
}

/** What every host is for, by number: as the engine draws them (`storage.servers`). */
export function roles({ topology: { shape }, storage }: Pick<Scenario, "topology" | "storage">): Role[] {
  const servers = new Set(storage?.servers?.map(({ host }) => host));
  const first = firstStorageHost(shape);
  return hostNames(shape).map((name, number) =>
    (servers.size > 0 ? servers.has(name) : number >= first) ? "storage" : "compute",
  );
}

/** The first of the hosts that are storage servers where no list says which. */
function firstStorageHost(shape: Shape): number {
  switch (shape.kind) {
    case "dumbbell":
      return shape.senders;
    case "custom":
      return hostCount(shape);
    default:
      return Math.floor(hostCount(shape) / 2);
  }
}
