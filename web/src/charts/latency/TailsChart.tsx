import type { OperationKind } from "../../answers/fit.ts";
import type { FitOperation } from "../../generated/answers.d.ts";
import { PlainChart } from "../frame/PlainChart.tsx";
import type { ExportStamp } from "../types.ts";
import { drawTails, TAIL_HEADERS, tailRows, tailSentence } from "./tails.ts";

interface TailsChartProps {
  readonly operation: FitOperation;
  readonly job: string;
  readonly kind: OperationKind;
  readonly height: number;
  readonly stamp: ExportStamp;
}

/** The latencies of a job as measured and as simulated: complementary CDFs, log-log. The panel's header stands above it. */
export const TailsChart = ({ operation, job, kind, height, stamp }: TailsChartProps) => (
  <PlainChart
    id="fit-tails"
    title={`Latency of ${job}`}
    unit={`share of ${kind} slower than`}
    untitled
    height={height}
    stamp={stamp}
    sentence={tailSentence(job, kind, operation)}
    headers={TAIL_HEADERS}
    rows={() => tailRows(operation)}
    draw={(surface, width, high, theme) => drawTails(surface, theme, width, high, operation)}
  />
);
