import type { RunView } from "./types.ts";

/** Of which requests the times of stages are. */
export const OPERATIONS = ["reads", "writes", "all"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** What of the times of requests may be shown: the mean of all, or that of the slowest hundredth. */
export const STATISTICS = ["mean", "p99"] as const;
export type Statistic = (typeof STATISTICS)[number];

/** Mean time of a class's requests in every stage. */
export interface StageTimes {
  /** By stage of `layout.stages`; not-a-number where there were no requests. */
  readonly us: Float32Array;
  /** Requests that these are of. */
  readonly count: number;
}

/** Where the time of the requests of a class went; null before the first reading. */
export function stageTimes(
  run: RunView,
  classIndex: number,
  operation: Operation,
  statistic: Statistic,
): StageTimes | null {
  const stages = run.layout.stages.length;
  const width = 2 * stages + 1;
  const from = (classIndex * OPERATIONS.length + OPERATIONS.indexOf(operation)) * width;
  if (run.stages.length < from + width) return null;
  const first = from + (statistic === "mean" ? 0 : stages);
  return {
    us: run.stages.subarray(first, first + stages),
    count: run.stages[from + width - 1] as number,
  };
}
