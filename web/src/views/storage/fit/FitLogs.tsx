import { useStore } from "zustand";
import { FioLogChart } from "../../../charts/latency/FioLogChart.tsx";
import { logUnit } from "../../../charts/latency/fioLog.ts";
import { fitRuns } from "../../../engine/campaign/fit/fitRuns.ts";
import { useStamp } from "../../../workbench/stamp.ts";

/** What fio logged over time: caches that fill and garbage collection that begins show here, and in no result. */
export function FitLogs() {
  const logs = useStore(fitRuns.store, (state) => state.logs);
  const stamp = useStamp();
  const read = logs.flatMap(({ log }) => log ?? []);
  if (read.length === 0) return null;
  return (
    <section className="panel fit-logs" aria-labelledby="fit-logs-title">
      <header>
        <h2 id="fit-logs-title">
          Over time{" "}
          <span className="note">
            mean strong, p99 or the greatest thin, writes dashed; where writes slow down, the cache was full
          </span>
        </h2>
      </header>
      {read.map((log) => (
        <figure key={log.file}>
          <figcaption>
            <b>{log.title}</b> <span className="note">{logUnit(log)}</span>{" "}
            <span className="note">{log.file}</span>
          </figcaption>
          <FioLogChart log={log} height={160} stamp={stamp} />
        </figure>
      ))}
    </section>
  );
}
