import { setPaths } from "./path.ts";
import { differing } from "./sections.ts";
import type { Scenario } from "./types.ts";

const replayed = new WeakMap<Scenario, { readonly count: number; readonly result: Scenario }>();

/** The scenario with its first `count` recorded changes applied: the values in force. */
export function inForce(scenario: Scenario, count: number): Scenario {
  const known = replayed.get(scenario);
  if (known?.count === count) return known.result;
  const result = setPaths(scenario, (scenario.timeline ?? []).slice(0, count));
  replayed.set(scenario, { count, result });
  return result;
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
export const sameButTimeline = (one: Scenario, other: Scenario): boolean =>
  differing(one, other).every((name) => name === "timeline");
