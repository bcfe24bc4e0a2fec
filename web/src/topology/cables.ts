import { utilisation } from "../run/links.ts";
import type { Graph, GraphNode, RunView } from "../run/types.ts";

/** Two directed links between the same nodes, drawn as one line. */
export interface Cable {
  readonly a: number;
  readonly b: number;
  /** Link indices of both directions; equal where there is only one. */
  readonly there: number;
  readonly back: number;
  readonly gbps: number;
}

/** Pairs the directed links of a graph; parallel cables stay apart. */
export function cablesOf(graph: Graph): Cable[] {
  const open = new Map<string, number[]>();
  const cables: Cable[] = [];
  graph.links.forEach((link, i) => {
    const waiting = open.get(`${link.to} ${link.from}`);
    const back = waiting?.shift();
    if (back === undefined) {
      const key = `${link.from} ${link.to}`;
      const list = open.get(key);
      if (list) list.push(i);
      else open.set(key, [i]);
      return;
    }
    const first = graph.links[back];
    if (first) cables.push({ a: first.from, b: first.to, there: back, back: i, gbps: first.gbps });
  });
  for (const left of open.values()) {
    for (const i of left) {
      const link = graph.links[i];
      if (link) cables.push({ a: link.from, b: link.to, there: i, back: i, gbps: link.gbps });
    }
  }
  return cables;
}

/** "storage server", "host", "switch". */
export const kindText = ({ kind, storage }: GraphNode): string => (storage ? "storage server" : kind);

/** "1 host", "2 switches". */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : noun.endsWith("ch") ? "es" : "s"}`;

/** Utilisation of the busier direction. */
export const busier = (run: RunView, cable: Cable): number =>
  Math.max(utilisation(run, cable.there), utilisation(run, cable.back));

/** Classes that send from each node, ascending and without repetition. */
export function sendersOf(graph: Graph): Map<number, number[]> {
  const senders = new Map<number, number[]>();
  for (const flow of graph.flows) {
    const list = senders.get(flow.source) ?? [];
    if (!list.includes(flow.class)) list.push(flow.class);
    senders.set(
      flow.source,
      list.sort((a, b) => a - b),
    );
  }
  return senders;
}

/** Classes whose traffic crosses each link. */
export function classesOnLinks(graph: Graph): Map<number, number[]> {
  const classes = new Map<number, number[]>();
  for (const flow of graph.flows) {
    for (const link of flow.path) {
      const list = classes.get(link) ?? [];
      if (!list.includes(flow.class)) list.push(flow.class);
      classes.set(
        link,
        list.sort((a, b) => a - b),
      );
    }
  }
  return classes;
}
