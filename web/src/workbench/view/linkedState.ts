/** One part of the state of a view: how it is at first, and how a link has it. */
export interface Field<T> {
  readonly initial: T;
  /** As JSON. */
  write(value: T): unknown;
  /** A value from JSON of any origin; undefined where it is none of this field. */
  read(json: unknown): T | undefined;
  /** It stays as it is where another scenario is opened. */
  readonly isKept?: boolean;
}

/** The parts that make up the state of a view, by the name that they have in links. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The state that fields make up. */
export type StateOf<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer Value> ? Value : never;
};

/** Something that is on or off. */
export const flag = (initial: boolean): Field<boolean> => ({
  initial,
  write: (value) => value,
  read: (json) => (typeof json === "boolean" ? json : undefined),
});

/** One of some words. */
export const oneOf = <const T extends string>(options: readonly T[], initial: NoInfer<T>): Field<T> => ({
  initial,
  write: (value) => value,
  read: (json) => options.find((option) => option === json),
});

/** A place in a list below a limit, or none, which is how it is at first. */
export const placeBelow = (limit: number): Field<number | null> => ({
  initial: null,
  write: (value) => value,
  read: (json) =>
    json === null || (Number.isInteger(json) && Number(json) >= 0 && Number(json) < limit)
      ? (json as number | null)
      : undefined,
});

/** A short text that names something; what it may name the view knows. */
export const word = (initial: string, limit = MAX_WORD): Field<string> => ({
  initial,
  write: (value) => value,
  read: (json) => (typeof json === "string" && json.length <= limit ? json : undefined),
});

const MAX_WORD = 24;

/** A text of at most so many letters; what it may say the view knows. */
export const text = (limit: number): Field<string> => ({
  initial: "",
  write: (value) => value,
  read: (json) => (typeof json === "string" && json.length <= limit ? json : undefined),
});

/** The same part, which stays as it is where another scenario is opened. */
export const keptField = <T>(field: Field<T>): Field<T> => ({ ...field, isKept: true });

/** As many numbers as at first, within bounds. */
export const numbers = (
  initial: readonly number[],
  [least, most]: readonly [number, number],
): Field<readonly number[]> => ({
  initial,
  write: (value) => value,
  read: (json) =>
    Array.isArray(json) &&
    json.length === initial.length &&
    json.every((item) => typeof item === "number" && item >= least && item <= most)
      ? json
      : undefined,
});

/** Longest time that a link speaks of: a day. */
export const MAX_TIME_US = 86_400e6;

/** A stretch of time in microseconds, or all of it, which is how it is at first. */
export const stretch = (maxUs: number): Field<readonly [fromUs: number, toUs: number] | null> => ({
  initial: null,
  write: (value) => value,
  read: (json) => {
    if (json === null) return null;
    if (!Array.isArray(json) || json.length !== 2) return undefined;
    const [fromUs, toUs] = json as unknown[];
    const isStretch =
      typeof fromUs === "number" && typeof toUs === "number" && fromUs >= 0 && fromUs < toUs && toUs <= maxUs;
    return isStretch ? [fromUs, toUs] : undefined;
  },
});

/** As many values as at first, each of a kind that is written as text. */
export const listOf = <T>(
  initial: readonly T[],
  write: (value: T) => string,
  read: (text: string) => T | undefined,
): Field<readonly T[]> => ({
  initial,
  write: (values) => values.map(write),
  read(json) {
    if (!Array.isArray(json) || json.length !== initial.length) return undefined;
    const values = json.map((item: unknown) => (typeof item === "string" ? read(item) : undefined));
    return values.every((value) => value !== undefined) ? values : undefined;
  },
});

/** The state at first. */
export const initialState = <F extends Fields>(fields: F): StateOf<F> =>
  Object.fromEntries(Object.entries(fields).map(([name, { initial }]) => [name, initial])) as StateOf<F>;

/** What of a state differs from another, which it was at first, by name. */
export function differences<F extends Fields>(
  fields: F,
  state: StateOf<F>,
  first: StateOf<F> = initialState(fields),
): Record<string, unknown> {
  const written = Object.entries(fields).map(([name, field]) => ({
    name,
    json: field.write(state[name as keyof F]),
    first: field.write(first[name as keyof F]),
  }));
  const differing = written.filter(({ json, first }) => JSON.stringify(json) !== JSON.stringify(first));
  return Object.fromEntries(differing.map(({ name, json }) => [name, json]));
}

/**
 * A state from JSON of any origin, and the names in it that mean nothing here or have no value of theirs. What it leaves out is as
 * at first.
 */
export function readState<F extends Fields>(
  fields: F,
  json: unknown,
  first: StateOf<F> = initialState(fields),
): { readonly state: StateOf<F>; readonly faults: readonly string[] } {
  const state: Record<string, unknown> = { ...first };
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return { state: state as StateOf<F>, faults: ["state"] };
  const faults = Object.entries(json).flatMap(([name, value]) => {
    const read = Object.hasOwn(fields, name) ? fields[name]?.read(value) : undefined;
    if (read === undefined) return [name];
    state[name] = read;
    return [];
  });
  return { state: state as StateOf<F>, faults };
}
