/** Undo and redo over immutable states. */
export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
}

/** Steps kept. */
const LIMIT = 200;

export function startHistory<T>(present: T): History<T> {
  return { past: [], present, future: [] };
}

/** Makes `next` the present. */
export function record<T>(history: History<T>, next: T): History<T> {
  if (next === history.present) return history;
  return { past: [...history.past, history.present].slice(-LIMIT), present: next, future: [] };
}

export const undo = <T>(history: History<T>): History<T> => at(history, history.past.length - 1);

export const redo = <T>(history: History<T>): History<T> => at(history, history.past.length + 1);

/** Goes to the last state that matches, unless the present does; null if there is none. */
export function moveTo<T>(history: History<T>, matches: (state: T) => boolean): History<T> | null {
  if (matches(history.present)) return history;
  const place = statesOf(history).findLastIndex(matches);
  return place < 0 ? null : at(history, place);
}

/** The same states but one; if it was the present, the one before is now, or else the one after. Null if there is no other. */
export function without<T>(history: History<T>, state: T): History<T> | null {
  const place = history.past.filter((other) => other !== state).length;
  const states = statesOf(history).filter((other) => other !== state);
  if (states.length === 0) return null;
  return at(
    { ...startHistory(states[0] as T), future: states.slice(1) },
    history.present === state ? Math.max(0, place - 1) : place,
  );
}

const statesOf = <T>({ past, present, future }: History<T>): readonly T[] => [...past, present, ...future];

/** The same states with another one as the present. */
function at<T>(history: History<T>, place: number): History<T> {
  const states = statesOf(history);
  const present = states[place];
  if (present === undefined) return history;
  return { past: states.slice(0, place), present, future: states.slice(place + 1) };
}
