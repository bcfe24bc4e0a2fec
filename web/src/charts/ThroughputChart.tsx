import { useRef } from "react";
import { createRangeKeeper } from "./chartModel.ts";
import { TimeChart } from "./TimeChart.tsx";
import { throughputModel } from "./throughput.ts";
import type { ThroughputChartProps } from "./types.ts";

/** Goodput of each class over time with targets and the model's prediction. */
export function ThroughputChart(props: ThroughputChartProps) {
  const range = useRef(createRangeKeeper());
  return <TimeChart {...props} model={throughputModel(props, range.current)} speaks />;
}
