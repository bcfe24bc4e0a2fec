import { qualityModel } from "./quality.ts";
import { TimeChart } from "./TimeChart.tsx";
import type { QualityChartProps } from "./types.ts";

/** Quality factor Q = target / achieved of each class on a logarithmic axis around 1. */
export function QualityChart(props: QualityChartProps) {
  return <TimeChart {...props} model={qualityModel(props)} />;
}
