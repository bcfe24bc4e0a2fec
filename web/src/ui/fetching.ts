import { createStore } from "zustand/vanilla";

/** A script of the page that did not come. It may come another time. */
export class FetchFailure extends Error {}

/** Something that somebody asked for and whose script did not come. */
export interface Unfetched {
  readonly retry: () => void;
  readonly dismiss: () => void;
}

/** All of these, the oldest first, until each is fetched or dismissed. */
export const unfetchedStore = createStore<{ readonly list: readonly Unfetched[] }>()(() => ({ list: [] }));

/** Has the page say that something did not come; returns what takes that back. */
export function tellUnfetched(item: Unfetched): () => void {
  unfetchedStore.setState(({ list }) => ({ list: [...list, item] }));
  return () => unfetchedStore.setState(({ list }) => ({ list: list.filter((other) => other !== item) }));
}

/**
 * Fetches a script for something that a person asked for, and does it. If the script does not come, the page says so and
 * offers to try again.
 */
export function fetchFor<T>(load: () => Promise<T>, use: (fetched: T) => unknown): void {
  load().then(
    (fetched) => void use(fetched),
    () => {
      const forget = tellUnfetched({
        retry: () => {
          forget();
          fetchFor(load, use);
        },
        dismiss: () => forget(),
      });
    },
  );
}

/** Pauses between tries, in milliseconds: each twice the one before. */
const FIRST_PAUSE_MS = 1000;
const LAST_PAUSE_MS = 64_000;

/** Fetches a script that nobody asks for but the page needs, until it has come. */
export async function fetchUntilThere<T>(load: () => Promise<T>, pauseMs = FIRST_PAUSE_MS): Promise<T> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return fetchUntilThere(load, Math.min(2 * pauseMs, LAST_PAUSE_MS));
  }
}
