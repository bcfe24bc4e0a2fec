/** Charts of a run. See ./types.ts for what they take, ./registry.ts for what those over time can show. */

export type { ChartChoice } from "./form.ts";
export { LatencyChart } from "./latency/LatencyChart.tsx";
export { createTimeCursor } from "./time/cursor.ts";
export { StackedChart } from "./time/StackedChart.tsx";
export { TimeAxis } from "./time/TimeAxis.tsx";
