import { latencyAt } from "../../run/latency.ts";
import type { LatencyView } from "../../run/types.ts";
import { PERCENTILES } from "../drawing/axis.ts";
import { formatLatencyUnit } from "../drawing/format.ts";
import { PlainChart } from "../frame/PlainChart.tsx";
import type { ExportStamp, LatencyCurves } from "../types.ts";
import { drawLatency, latencyRange } from "./latency.ts";

interface ResponseChartProps extends LatencyCurves {
  readonly title: string;
  readonly height: number;
  readonly stamp: ExportStamp;
}

/** Complementary CDF of response times that were computed, beside those of a run as the ghost. */
export function ResponseChart({ title, height, stamp, ...curves }: ResponseChartProps) {
  const { run, deadlines } = curves;
  const range = () => latencyRange(run, null, deadlines);
  return (
    <PlainChart
      id="response-times"
      title={title}
      unit="share slower than"
      untitled
      height={height}
      stamp={stamp}
      sentence={responseSentence(title, run)}
      headers={["tenant", ...PERCENTILES.map(({ name }) => `${name} (us)`)]}
      rows={() =>
        run.classes.map(({ name }, i) => [
          name,
          ...PERCENTILES.map(({ share }) => latencyAt(run.latency[i] ?? new Float64Array(0), share)),
        ])
      }
      draw={(surface, width, high, theme) => drawLatency(surface, theme, width, high, curves, range())}
    />
  );
}

function responseSentence(title: string, run: LatencyView): string {
  const parts = run.classes.map(({ name }, i) => {
    const pairs = run.latency[i] ?? new Float64Array(0);
    const at = (share: number) => formatLatencyUnit(latencyAt(pairs, share));
    return pairs.length < 2 ? `${name}: no requests` : `${name}: p50 ${at(0.5)}, p99 ${at(0.01)}`;
  });
  return `${title}. ${parts.join("; ")}.`;
}
