import { createStore } from "zustand/vanilla";

/** The one parameter hint that may be open. */
interface HintState {
  readonly path: string | null;
  readonly anchor: HTMLElement | null;
  /** Opened on purpose: takes the focus. Otherwise it opened under the pointer and goes with it. */
  readonly pinned: boolean;
}

export const hintStore = createStore<HintState>()(() => ({ path: null, anchor: null, pinned: false }));

export function showHint(path: string, anchor: HTMLElement, pinned: boolean): void {
  hintStore.setState({ path, anchor, pinned });
}

export function hideHint(): void {
  hintStore.setState({ path: null, anchor: null, pinned: false });
}
