import { latencyNotes } from "../charts/latency/latencyNotes.ts";
import { useEffectiveScenario, useRun } from "./context.tsx";

/** What one must know before reading the latencies below. */
export function LatencyNotes() {
  const { workloads } = useEffectiveScenario();
  const backlogged = workloads.every(({ traffic }) => traffic.kind === "backlogged");
  const text = useRun(({ view }) => (view ? latencyNotes(view, backlogged).join("\n") : ""));
  return text.split("\n").map(
    (note) =>
      note && (
        <p key={note} className="row-note" role="status">
          {note}
        </p>
      ),
  );
}
