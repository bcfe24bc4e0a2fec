/** Charts of a run. See ./types.ts for data and props. */
import "./charts.css";

export { ClassMarker } from "./ClassMarker.tsx";
export { createTimeCursor } from "./cursor.ts";
export type { By, ChartChoice } from "./form.ts";
export * from "./format.ts";
export { LatencyChart } from "./LatencyChart.tsx";
export { choiceOf, choiceText } from "./registry.ts";
export { StackedChart } from "./StackedChart.tsx";
export { StageMatrix } from "./StageMatrix.tsx";
export { TimeAxis } from "./TimeAxis.tsx";
export type * from "./types.ts";
