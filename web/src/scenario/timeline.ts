import { setPaths } from "./path.ts";
import type { Change, Scenario } from "./types.ts";

/** Number of recorded changes that have taken effect at an instant. */
export function changesUntil(scenario: Scenario, nowUs: number): number {
  const timeline = scenario.timeline ?? [];
  let count = 0;
  while (count < timeline.length && (timeline[count] as Change).atUs <= nowUs) count++;
  return count;
}

/** The scenario with its first `count` recorded changes applied: the values in force. */
export function inForce(scenario: Scenario, count: number): Scenario {
  return setPaths(scenario, (scenario.timeline ?? []).slice(0, count));
}

/** Drops recorded changes: all of them, or those of one field. */
export function withoutChanges(scenario: Scenario, path?: string): Scenario {
  const kept = path === undefined ? [] : (scenario.timeline ?? []).filter((change) => change.path !== path);
  const { timeline: _, ...rest } = scenario;
  return kept.length > 0 ? { ...rest, timeline: kept } : rest;
}

/** The scenario with the changes in force and those on their way. */
export function effectiveScenario(
  scenario: Scenario,
  changesInForce: number,
  pending: Readonly<Record<string, unknown>>,
): Scenario {
  const chosen = Object.entries(pending).map(([path, value]) => ({ path, value }));
  return setPaths(inForce(scenario, changesInForce), chosen);
}

/** Whether two scenarios differ in nothing but what is recorded. */
export function sameButTimeline(a: Scenario, b: Scenario): boolean {
  const { timeline: _a, ...first } = a;
  const { timeline: _b, ...second } = b;
  return JSON.stringify(first) === JSON.stringify(second);
}
