/** The fabric as a picture and as tables. Props are in ../charts/types.ts. */

export { deadlockSentence } from "./deadlock.ts";
export { STRIPES } from "./drawPauses.ts";
export { FabricView } from "./FabricView.tsx";
export { dumbbellHeight, type FabricLayout, layoutFabric, type PlacedNode } from "./layout.ts";
export { fromNumbers, toNumbers } from "./magnified.ts";
