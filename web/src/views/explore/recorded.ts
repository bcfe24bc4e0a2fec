import type { Reading } from "../../engine/files/traces.ts";
import type { RunView } from "../../run/types.ts";
import type { Workload } from "../../scenario/types.ts";

/** Latencies of requests when they were recorded, in the place of those of a run. */
export interface Recorded {
  /** The run with them: its classes without any have empty curves. */
  readonly view: RunView;
  /** The traces that they are of. */
  readonly files: readonly string[];
}

/**
 * What traces measured themselves, to be drawn beside a run: of each class that replays one trace and nothing else. Null without
 * any.
 */
export function recordedLatencies(
  view: RunView,
  workloads: readonly Workload[],
  readings: Readonly<Record<string, Reading>>,
): Recorded | null {
  const files = new Set<string>();
  const figures = view.figures.slice();
  const { figureColumns } = view.layout;
  const latency = view.classes.map(({ name }, index) => {
    const [first, ...others] = workloads.filter((workload) => workload.class === name);
    const traffic = first?.traffic;
    if (traffic?.kind !== "trace") return new Float64Array(0);
    const isSame = (other: Workload) =>
      other.traffic.kind === "trace" &&
      other.traffic.file === traffic.file &&
      other.traffic.volume === traffic.volume;
    const reading = readings[traffic.file];
    if (reading?.kind !== "read" || !others.every(isSame)) return new Float64Array(0);
    const { summary } = reading;
    const { volume } = traffic;
    const recorded = volume
      ? summary.volumes.find(({ name }) => name === volume)?.recorded
      : summary.recorded;
    if (!recorded) return new Float64Array(0);
    files.add(traffic.file);
    // The chart dots a curve where few requests remain: of those recorded.
    figures[index * figureColumns.length + figureColumns.indexOf("requestsCompleted")] =
      recorded.reads.requests + recorded.writes.requests;
    return Float64Array.from(recorded.slower.flat());
  });
  return files.size > 0 ? { view: { ...view, latency, figures }, files: [...files] } : null;
}
