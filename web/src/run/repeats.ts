import type {
  ClassSummary,
  DeadlineSummary,
  EngineFigures,
  LatencySummary,
  RunSummary as Summary,
} from "../generated/answers.d.ts";
import { STUDENT_95 } from "../generated/student.ts";

/** What a comparison over several seeds reads of the summary that the engine makes of a run. */
export type RunSummary = Pick<Summary, "seed" | "digest"> & {
  readonly simulatedUs?: number;
  readonly engine?: Pick<EngineFigures, "events">;
  readonly classes: readonly (Pick<ClassSummary, "name" | "carriedGbps"> & {
    readonly latencyUs: Pick<LatencySummary, "p99">;
    readonly deadline: Pick<DeadlineSummary, "missedFraction"> | null;
  })[];
};

/** A mean of differences with the half of its 95 % interval; half of none where there is a single one. */
export interface Interval {
  readonly mean: number;
  readonly half: number;
  readonly count: number;
}

/** Mean and 95 % interval of values, those that do not apply left out; null where none is left. */
export function intervalOf(values: readonly number[]): Interval | null {
  const known = values.filter(Number.isFinite);
  const count = known.length;
  if (count === 0) return null;
  const mean = known.reduce((sum, value) => sum + value, 0) / count;
  const squares = known.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const half = (STUDENT_95[count - 2] ?? Number.NaN) * Math.sqrt(squares / (count - 1) / count);
  return { mean, half, count };
}

/** Whether an interval lies to one side of zero. */
export const isClear = ({ mean, half }: Interval): boolean => Math.abs(mean) > half;
