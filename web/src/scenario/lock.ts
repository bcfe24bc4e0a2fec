import { getPath, parsePath } from "./path.ts";
import type { Scenario } from "./types.ts";

/**
 * What of a scenario the page around this one has locked. Fields are named by their paths, with all that is below them;
 * `classes[].ratio` is that of every class.
 */
export interface Lock {
  /** Everything is locked. */
  readonly all: boolean;
  readonly locked: readonly string[];
  /** Stays free, whatever else is locked. */
  readonly free: readonly string[];
}

/** Whether a field cannot be changed: it is locked, or belongs to what is, or holds something that is. */
export function locks({ all, locked, free }: Lock, path: string): boolean {
  if (free.some((name) => covers(name, path))) return false;
  return all || locked.some((name) => covers(name, path) || covers(path, name));
}

/** Whether one scenario has other values than another where it may not. */
export const locksStep = (lock: Lock, before: Scenario, after: Scenario): boolean =>
  lock.all ||
  lock.locked.some(
    (name) =>
      JSON.stringify(valuesAt(before, name, lock.free)) !== JSON.stringify(valuesAt(after, name, lock.free)),
  );

const ANY = "*";

const keysOf = (name: string): readonly (string | number)[] => parsePath(name.replaceAll("[]", `[${ANY}]`));

/** Whether the field of a name is another one, or has it somewhere below. */
function covers(name: string, path: string): boolean {
  const [keys, others] = [keysOf(name), keysOf(path)];
  return (
    keys.length > 0 &&
    keys.length <= others.length &&
    keys.every((key, i) => key === others[i] || [key, others[i]].includes(ANY))
  );
}

/** The values of all fields of a name, but for those that are free. */
function valuesAt(scenario: Scenario, name: string, free: readonly string[]): unknown[] {
  return pathsAt(scenario, name)
    .filter((path) => free.every((other) => !covers(other, path)))
    .map((path) => getPath(scenario, path));
}

/** The fields of a name that a scenario has places for. */
export function pathsAt(scenario: Scenario, name: string): string[] {
  const [head = "", ...rest] = name.split("[]");
  return rest.reduce(
    (paths, tail) =>
      paths.flatMap((path) => {
        const list = getPath(scenario, path);
        return Array.isArray(list) ? list.map((_, i) => `${path}[${i}]${tail}`) : [];
      }),
    [head],
  );
}
