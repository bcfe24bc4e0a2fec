/** Charts of a run. See ./types.ts for data and props. */
import "./charts.css";

export { ClassMarker } from "./ClassMarker.tsx";
export { createTimeCursor } from "./cursor.ts";
export * from "./format.ts";
export { LatencyChart } from "./LatencyChart.tsx";
export { QueueChart } from "./QueueChart.tsx";
export type { QuantityId } from "./quantities.ts";
export { SignalChart } from "./SignalChart.tsx";
export { StageMatrix } from "./StageMatrix.tsx";
export type { By } from "./signal.ts";
export { ThroughputChart } from "./ThroughputChart.tsx";
export { TimeAxis } from "./TimeAxis.tsx";
export type * from "./types.ts";
