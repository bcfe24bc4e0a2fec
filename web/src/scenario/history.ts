/** Undo and redo over immutable documents. A gesture (one drag, one typed value) is one step. */
export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /** The gesture that made the present; further edits of the same gesture replace it. Every gesture has its own name. */
  readonly gesture: string | null;
}

/** Steps kept. */
const LIMIT = 200;

export function startHistory<T>(present: T): History<T> {
  return { past: [], present, future: [], gesture: null };
}

/** Makes `next` the present. Edits that carry the gesture of the present are merged into it. */
export function record<T>(history: History<T>, next: T, gesture: string | null = null): History<T> {
  if (next === history.present) return history;
  const merge = gesture !== null && gesture === history.gesture;
  return {
    past: merge ? history.past : [...history.past, history.present].slice(-LIMIT),
    present: next,
    future: [],
    gesture,
  };
}

export function undo<T>(history: History<T>): History<T> {
  const previous = history.past.at(-1);
  if (previous === undefined) return history;
  return {
    past: history.past.slice(0, -1),
    present: previous,
    future: [history.present, ...history.future],
    gesture: null,
  };
}

export function redo<T>(history: History<T>): History<T> {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future, gesture: null };
}
