import type { FioLog } from "../../generated/answers.d.ts";
import { PlainChart } from "../frame/PlainChart.tsx";
import type { ExportStamp } from "../types.ts";
import { drawLog, logHeaders, logRows, logSentence, logUnit } from "./fioLog.ts";

interface FioLogChartProps {
  readonly log: FioLog;
  readonly height: number;
  readonly stamp: ExportStamp;
}

/** What fio logged over time. The name of the log stands above it. */
export const FioLogChart = ({ log, height, stamp }: FioLogChartProps) => (
  <PlainChart
    id={`fio-log ${log.file}`}
    title={`${log.title} over time, ${log.file}`}
    unit={logUnit(log)}
    untitled
    height={height}
    stamp={stamp}
    sentence={logSentence(log)}
    headers={logHeaders(log)}
    rows={() => logRows(log)}
    draw={(surface, width, high, theme) => drawLog(surface, theme, width, high, log)}
  />
);
