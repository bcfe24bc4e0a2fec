import { produce } from "immer";

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
export function setPaths<T>(
  scenario: T,
  changes: readonly { readonly path: string; readonly value: unknown }[],
): T {
  if (changes.length === 0) return scenario;
  return produce(scenario, (draft) => {
    for (const { path, value } of changes) assign(draft as Record<string | number, unknown>, path, value);
  });
}

function assign(document: Record<string | number, unknown>, path: string, value: unknown): void {
  const keys = parsePath(path);
  const last = keys.pop();
  if (last === undefined) return;
  let parent = document;
  for (const key of keys) {
    if (typeof parent[key] !== "object" || parent[key] === null) parent[key] = {};
    parent = parent[key] as Record<string | number, unknown>;
  }
  if (value === undefined || value === null) delete parent[last];
  else parent[last] = value;
}
