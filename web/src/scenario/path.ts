import type { FieldChange } from "../generated/answers.d.ts";
/** Keys of a field path: `classes[0].ratio` is `["classes", 0, "ratio"]`. */
export function parsePath(path: string): (string | number)[] {
  const keys: (string | number)[] = [];
  for (const part of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    keys.push(part[2] === undefined ? (part[1] as string) : Number(part[2]));
  }
  return keys;
}

/** Value at a path, or undefined where the scenario leaves it out. */
export function getPath(scenario: unknown, path: string): unknown {
  let value = scenario;
  for (const key of parsePath(path)) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value;
}

/** A copy of the scenario with another value at a path; sections left out are made, `undefined` and null remove. */
export const setPath = <T>(scenario: T, path: string, value: unknown): T =>
  setPaths(scenario, [{ path, value }]);

/** The same for many paths, one after the other. */
export function setPaths<T>(scenario: T, changes: readonly FieldChange[]): T {
  return changes.reduce<unknown>(
    (document, { path, value }) => replaced(document, parsePath(path), value ?? undefined),
    scenario,
  ) as T;
}

/** A copy with another value where the keys lead; everything beside their way stays the same object. */
function replaced(document: unknown, [key, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (key === undefined) return document;
  const section = (typeof document === "object" && document !== null ? document : {}) as Record<
    string | number,
    unknown
  >;
  const next = rest.length === 0 ? value : replaced(section[key], rest, value);
  if (next === section[key]) return document;
  const copy = (Array.isArray(section) ? [...section] : { ...section }) as typeof section;
  if (next === undefined) delete copy[key];
  else copy[key] = next;
  return copy;
}
