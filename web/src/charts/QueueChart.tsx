import { useRef } from "react";
import { createRangeKeeper } from "./chartModel.ts";
import { queueModel } from "./queue.ts";
import { TimeChart } from "./TimeChart.tsx";
import type { QueueChartProps } from "./types.ts";

/** Waiting packets at the bottleneck with the ECN threshold K. */
export function QueueChart(props: QueueChartProps) {
  const range = useRef(createRangeKeeper());
  return <TimeChart {...props} model={queueModel(props, range.current)} />;
}
