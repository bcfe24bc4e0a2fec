import { createStore } from "zustand/vanilla";

/** The parameter touched last: the quick control of a phone. K at first. */
export const touchedStore = createStore<{ readonly path: string }>()(() => ({
  path: "switch.ecnThresholdPackets",
}));

export function rememberTouched(path: string): void {
  touchedStore.setState({ path });
}
