import type { TimeCursor } from "../types.ts";

/** Shared time cursor: hover, touch and keys of any stacked chart set it, all of them draw it. */
export function createTimeCursor(): TimeCursor {
  let sample: number | null = null;
  const listeners = new Set<() => void>();
  return {
    get: () => sample,
    set(next) {
      if (next === sample) return;
      sample = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
