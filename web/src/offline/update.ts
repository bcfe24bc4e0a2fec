import { createStore } from "zustand/vanilla";

interface Update {
  /** Shows the page in its new version; null while there is none. */
  readonly reload: (() => void) | null;
}

/** Whether a new version of the page waits. */
export const updateStore = createStore<Update>()(() => ({ reload: null }));
