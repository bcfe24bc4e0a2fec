/** The fabric as a picture and as tables. Props are in ../charts/types.ts. */

export { cablesOf, kindText } from "./cables.ts";
export { deadlockSentence } from "./deadlock.ts";
export { STRIPES } from "./drawPauses.ts";
export { type FabricDrawing, FabricView } from "./FabricView.tsx";
export { dumbbellHeight } from "./layout.ts";
export { fromNumbers, toNumbers } from "./magnified.ts";
