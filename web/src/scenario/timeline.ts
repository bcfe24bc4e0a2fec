import { setPath } from "./path.ts";
import type { Change, Scenario } from "./types.ts";

/** Number of recorded changes that have taken effect at an instant. */
export function changesUntil(document: Scenario, nowUs: number): number {
  const timeline = document.timeline ?? [];
  let count = 0;
  while (count < timeline.length && (timeline[count] as Change).atUs <= nowUs) count++;
  return count;
}

/** The document with its first `count` recorded changes applied: the values in force. */
export function inForce(document: Scenario, count: number): Scenario {
  return (document.timeline ?? [])
    .slice(0, count)
    .reduce((result, change) => setPath(result, change.path, change.value), document);
}

/** Drops recorded changes: all of them, or those of one field. */
export function withoutChanges(document: Scenario, path?: string): Scenario {
  const kept = path === undefined ? [] : (document.timeline ?? []).filter((change) => change.path !== path);
  const { timeline: _, ...rest } = document;
  return kept.length > 0 ? { ...rest, timeline: kept } : rest;
}
