import { produce } from "immer";

/** Keys of a field path: `classes[0].ratio` is `["classes", 0, "ratio"]`. */
export function parsePath(path: string): (string | number)[] {
  const keys: (string | number)[] = [];
  for (const part of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    keys.push(part[2] === undefined ? (part[1] as string) : Number(part[2]));
  }
  return keys;
}

/** Value at a path, or undefined where the document leaves it out. */
export function getPath(document: unknown, path: string): unknown {
  let value = document;
  for (const key of parsePath(path)) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value;
}

/** A copy of the document with another value at a path; sections left out are made, `undefined` and null remove. */
export function setPath<T>(document: T, path: string, value: unknown): T {
  const keys = parsePath(path);
  const last = keys.pop();
  if (last === undefined) return document;
  return produce(document, (draft) => {
    let parent = draft as Record<string | number, unknown>;
    for (const key of keys) {
      if (typeof parent[key] !== "object" || parent[key] === null) parent[key] = {};
      parent = parent[key] as Record<string | number, unknown>;
    }
    if (value === undefined || value === null) delete parent[last];
    else parent[last] = value;
  });
}
