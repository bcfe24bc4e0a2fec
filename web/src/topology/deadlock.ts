import { formatMilliseconds } from "../charts/format.ts";
import type { RunView } from "../charts/types.ts";
import { counted } from "./cables.ts";

/** Links that hold each other up. */
export const deadlocked = (run: RunView): readonly number[] => run.deadlock?.links ?? [];

/** Links that a sentence names. */
const NAMED = 3;

/** Who waits for whom, in a sentence or two; nothing where there is no deadlock. */
export function deadlockSentence(run: RunView): string {
  const { nodes, links } = run.layout.graph;
  const held = deadlocked(run);
  const hosts = held.filter((link) => nodes[links[link]?.from ?? -1]?.kind === "host");
  const circle = held.filter((link) => !hosts.includes(link));
  if (!run.deadlock || circle.length === 0) return "";
  const names = circle.slice(0, NAMED).map((link) => {
    const { from = -1, to = -1 } = links[link] ?? {};
    return `${nodes[from]?.name} to ${nodes[to]?.name}`;
  });
  const more = circle.length > NAMED ? ` and ${circle.length - NAMED} more` : "";
  const behind =
    hosts.length > 0
      ? ` ${counted(hosts.length, "host")} ${hosts.length === 1 ? "waits" : "wait"} behind them.`
      : "";
  const seen = formatMilliseconds(run.deadlock.seenUs);
  return `Seen at ${seen} ms: ${counted(circle.length, "link")} hold each other up (PFC deadlock): ${names.join(", ")}${more}.${behind}`;
}
