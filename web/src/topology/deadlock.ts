import { formatMilliseconds } from "../charts/drawing/format.ts";
import { deadlockCycle, deadlockedLinks } from "../run/links.ts";
import type { RunView } from "../run/types.ts";
import { counted } from "./cables.ts";

/** Links that a sentence names. */
const NAMED = 3;

/** Which links are deadlocked, in a sentence or two; nothing where there is no deadlock. */
export function deadlockSentence(run: RunView): string {
  const { nodes, links } = run.layout.graph;
  const held = deadlockedLinks(run);
  const cycle = deadlockCycle(run);
  const hosts = held.filter((link) => !cycle.includes(link));
  if (!run.deadlock || cycle.length === 0) return "";
  const names = cycle.slice(0, NAMED).map((link) => {
    const { from = -1, to = -1 } = links[link] ?? {};
    return `${nodes[from]?.name} to ${nodes[to]?.name}`;
  });
  const more = cycle.length > NAMED ? ` and ${cycle.length - NAMED} more` : "";
  const behind =
    hosts.length > 0
      ? ` ${counted(hosts.length, "host")} ${hosts.length === 1 ? "waits" : "wait"} behind them.`
      : "";
  const seen = formatMilliseconds(run.deadlock.seenUs);
  const are = cycle.length === 1 ? "is" : "are";
  return `PFC deadlock seen at ${seen} ms: ${counted(cycle.length, "link")} ${are} deadlocked (${names.join(", ")}${more}).${behind}`;
}
