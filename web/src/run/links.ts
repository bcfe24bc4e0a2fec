import type { Graph, GraphFlow, RunView } from "./types.ts";

/** Numbers of a link in a reading, see `RunView.links`. */
export const LINK_NUMBERS = 3;

/** Share of its rate that a link carried since the reading before. */
export const utilisation = (run: RunView, link: number): number => run.links[LINK_NUMBERS * link] ?? 0;

/** Packets that wait at the port of a link. */
export const queued = (run: RunView, link: number): number => run.links[LINK_NUMBERS * link + 1] ?? 0;

/** Share of the time, since the reading before, in which the sender of a link was held by a pause frame. */
export const paused = (run: RunView, link: number): number => run.links[LINK_NUMBERS * link + 2] ?? 0;

/** Links whose sender was held at some time since the reading before. */
export const pausedLinks = (run: RunView): number[] =>
  run.layout.graph.links.flatMap((_, link) => (paused(run, link) > 0 ? [link] : []));

/** Links that are deadlocked by pause frames. */
export const deadlockedLinks = (run: RunView): readonly number[] => run.deadlock?.links ?? [];

/** Those of them that hold each other; the links of hosts wait behind them. */
export function deadlockCycle(run: RunView): readonly number[] {
  const { nodes, links } = run.layout.graph;
  return deadlockedLinks(run).filter((link) => nodes[links[link]?.from ?? -1]?.kind !== "host");
}

/** The watched port in words: "port e3.0 to s12". */
export function bottleneckPort(run: RunView): string | undefined {
  const { nodes, links, bottleneck } = run.layout.graph;
  const link = links[bottleneck];
  return link && `port ${nodes[link.from]?.name} to ${nodes[link.to]?.name}`;
}

const graphs = new WeakMap<readonly GraphFlow[], Graph>();

/** The graph of a run with its connections as they go now. The same object as long as they go the same way. */
export function graphNow({ layout, flows }: RunView): Graph {
  if (flows === layout.graph.flows) return layout.graph;
  const known = graphs.get(flows) ?? { ...layout.graph, flows };
  graphs.set(flows, known);
  return known;
}
