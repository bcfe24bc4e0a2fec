import { ANNOTATIONS } from "./annotations.ts";
import { DOCUMENT } from "./catalogue.ts";
import { nodeIn, valueAt } from "./schema.ts";
import type { Scenario } from "./types.ts";

/** A field that two scenarios give different values; `undefined` where one of them has no such field. */
export interface Difference {
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** What tells nothing about how a run goes, and what a comparison makes the same for both. */
const LEFT_OUT: ReadonlySet<string> = new Set([...ANNOTATIONS, "version", "seed"]);

/**
 * The fields in which two scenarios differ, in the order of the first. A value that is left out is the default: a scenario
 * that states it does not differ. Where lists have other lengths, or objects are of other kinds, they differ as a whole.
 */
export function differencesOf(from: Scenario, to: Scenario): readonly Difference[] {
  const found: Difference[] = [];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter(
    (name) => !LEFT_OUT.has(name),
  );
  for (const name of names) {
    if (name === "timeline") listed(name, from.timeline ?? [], to.timeline ?? [], found);
    else differ(name, from, to, found);
  }
  return found;
}

function differ(path: string, from: Scenario, to: Scenario, found: Difference[]): void {
  if (LEFT_OUT.has(path)) return;
  const [before, after] = [said(from, path), said(to, path)];
  if (same(before, after)) return;
  const inside = keysOf(before, after);
  if (inside === null) found.push({ path, from: before, to: after });
  else
    for (const key of inside)
      differ(typeof key === "number" ? `${path}[${key}]` : `${path}.${key}`, from, to, found);
}

/** A list that is compared as a whole. */
function listed(path: string, from: readonly unknown[], to: readonly unknown[], found: Difference[]): void {
  if (!same(from, to)) found.push({ path, from, to });
}

/** The value at a path, with its default where the format has one. */
function said(scenario: Scenario, path: string): unknown {
  try {
    return valueAt(scenario, path);
  } catch {
    // A field of another kind of object than this scenario has there.
    return undefined;
  }
}

/** The names or places inside two values that can be compared part by part; null where they are compared as a whole. */
function keysOf(from: unknown, to: unknown): readonly (string | number)[] | null {
  if (Array.isArray(from) && Array.isArray(to)) {
    const objects = [...from, ...to].every((item) => typeof item === "object" && item !== null);
    return from.length === to.length && objects ? from.map((_, index) => index) : null;
  }
  if (!isObject(from ?? {}) || !isObject(to ?? {}) || (from === undefined && to === undefined)) return null;
  const [before, after] = [(from ?? {}) as Fields, (to ?? {}) as Fields];
  if (before.kind !== after.kind) return null;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

type Fields = { readonly [name: string]: unknown; readonly kind?: unknown };

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const same = (from: unknown, to: unknown): boolean => JSON.stringify(from) === JSON.stringify(to);

/** Whether the format knows a path of a scenario. */
export function isField(path: string, scenario: Scenario): boolean {
  try {
    nodeIn(DOCUMENT, path, scenario);
    return true;
  } catch {
    return false;
  }
}
