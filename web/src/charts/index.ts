/** Charts of a run. See ./types.ts for what they take, ./registry.ts for what those over time can show. */

export { createTimeCursor } from "./cursor.ts";
export type { ChartChoice } from "./form.ts";
export { LatencyChart } from "./LatencyChart.tsx";
export { StackedChart } from "./StackedChart.tsx";
export { TimeAxis } from "./TimeAxis.tsx";
