import { formatCount, formatPercent } from "../charts/drawing/format.ts";
import { hasNetwork } from "../run/bottleneck.ts";
import { paused, pausedLinks, queued } from "../run/links.ts";
import type { RunView } from "../run/types.ts";
import { counted } from "./cables.ts";
import { deadlockSentence } from "./deadlock.ts";

/** Paused links that a sentence names. */
const NAMED = 3;

/** Which senders are held, in a sentence; nothing where none is. */
export function pauseSentence(run: RunView): string {
  const { nodes, links } = run.layout.graph;
  const held = pausedLinks(run).toSorted((a, b) => paused(run, b) - paused(run, a));
  if (held.length === 0) return "";
  const names = held.slice(0, NAMED).map((link) => {
    const { from = -1, to = -1 } = links[link] ?? {};
    return `${nodes[from]?.name} to ${nodes[to]?.name} for ${formatPercent(paused(run, link))} of the time`;
  });
  const more = held.length > NAMED ? ` and ${held.length - NAMED} more` : "";
  return `${held.length === 1 ? "1 link is" : `${held.length} links are`} paused: ${names.join(", ")}${more}.`;
}

/** The fabric in a sentence or two. */
export function fabricSentence(run: RunView): string {
  const { nodes, links, flows, bottleneck } = run.layout.graph;
  const hosts = nodes.filter((node) => node.kind === "host").length;
  const link = links[bottleneck];
  const where =
    link && hasNetwork(run)
      ? ` The bottleneck, ${nodes[link.from]?.name} to ${nodes[link.to]?.name}, is at ${formatPercent(run.bottleneck.utilisation)} with ${formatCount(queued(run, bottleneck), "packet")} waiting.`
      : "";
  const pauses = deadlockSentence(run) || pauseSentence(run);
  return `Fabric of ${counted(hosts, "host")} and ${counted(nodes.length - hosts, "switch")}, ${counted(flows.length, "flow")}.${where}${pauses && ` ${pauses}`}`;
}
