import { useStore } from "zustand";
import { LatencyChart } from "../../charts/index.ts";
import type { LatencyChartProps } from "../../charts/types.ts";
import { tracesStore } from "../../engine/files/traces.ts";
import { useEffectiveScenario } from "../../panels/context.tsx";
import { recordedLatencies } from "./recorded.ts";
import "./ReplayedLatency.css";

/** Height of the line that says what is drawn thin. */
const LINE = 20;

/** The latencies of a run that replays traces, beside those that the traces measured themselves. */
export default function ReplayedLatency({ run, height, ...props }: LatencyChartProps) {
  const { workloads } = useEffectiveScenario();
  const readings = useStore(tracesStore, ({ byName }) => byName);
  const recorded = recordedLatencies(run, workloads, readings);
  if (!recorded) return <LatencyChart {...props} run={run} height={height} />;
  const { view, files } = recorded;
  return (
    <div className="replayed-latency">
      <p className="row-note" style={{ height: LINE }}>
        thin: as recorded in {files.join(", ")}
      </p>
      <LatencyChart {...props} run={run} ghost={view} beside={[view]} height={height - LINE} />
    </div>
  );
}
