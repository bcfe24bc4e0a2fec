/** What a comparison over several seeds reads of the summary that the engine makes of a run. */
export interface RunSummary {
  readonly seed: number;
  readonly digest: string;
  readonly simulatedUs?: number;
  readonly engine?: { readonly events: number };
  readonly classes: readonly {
    readonly name: string;
    readonly carriedGbps: number;
    readonly latencyUs: { readonly p99: number | null };
    readonly deadline: { readonly missedFraction: number | null } | null;
  }[];
}

/** A mean of differences with the half of its 95 % interval; half of none where there is a single one. */
export interface Interval {
  readonly mean: number;
  readonly half: number;
  readonly count: number;
}

/** Two-sided 95 % quantiles of Student's t distribution by degrees of freedom, from 1 on. */
const T95 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/** The quantile for any degrees of freedom of at least 1: beyond the table by its leading correction to the normal one. */
export const t95 = (freedom: number): number => T95[freedom - 1] ?? 1.95996 + 2.42 / freedom;

/** Mean and 95 % interval of values, those that do not apply left out; null where none is left. */
export function intervalOf(values: readonly number[]): Interval | null {
  const known = values.filter(Number.isFinite);
  const count = known.length;
  if (count === 0) return null;
  const mean = known.reduce((sum, value) => sum + value, 0) / count;
  const squares = known.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const half = count > 1 ? t95(count - 1) * Math.sqrt(squares / (count - 1) / count) : Number.NaN;
  return { mean, half, count };
}

/** Whether an interval lies to one side of zero. */
export const isClear = ({ mean, half }: Interval): boolean => Math.abs(mean) > half;
