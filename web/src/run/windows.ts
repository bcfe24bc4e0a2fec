import { presentSamples } from "./read.ts";
import type { RunView, Series } from "./types.ts";

/** What is known of a series up to sample `n`. */
interface Known {
  n: number;
  /** Per column, the sum of its numbers up to and including a sample, and how many there are. */
  readonly sums: readonly number[][];
  readonly counts: readonly number[][];
  readonly values: number[];
}

const known = new WeakMap<RunView, Map<string, Known>>();

/** Of the samples of a window: the sum of each column, and how many of its samples have a number. */
export interface Window {
  readonly sums: readonly number[];
  readonly counts: readonly number[];
}

/**
 * A series whose value at a sample follows from the sums of columns over the time that figures of the present are averaged over,
 * which ends at that sample. Only samples that are new since the last call are computed.
 */
export function windowSeries(
  run: RunView,
  key: string,
  columns: readonly (ArrayLike<number> | undefined)[],
  derive: (window: Window, sample: number) => number,
): Series {
  const own = known.get(run) ?? new Map<string, Known>();
  known.set(run, own);
  const none = () => columns.map((): number[] => []);
  const series = own.get(key) ?? { n: 0, sums: none(), counts: none(), values: [] };
  own.set(key, series);
  const length = presentSamples(run);
  for (let at = Math.min(series.n, run.n); at < run.n; at++) {
    for (const [i, values] of columns.entries()) {
      const [sums, counts] = [series.sums[i] as number[], series.counts[i] as number[]];
      const value = values?.[at] ?? Number.NaN;
      sums[at] = (sums[at - 1] ?? 0) + (Number.isNaN(value) ? 0 : value);
      counts[at] = (counts[at - 1] ?? 0) + (Number.isNaN(value) ? 0 : 1);
    }
    const inWindow = (totals: readonly number[]) => (totals[at] as number) - (totals[at - length] ?? 0);
    series.values[at] = derive({ sums: series.sums.map(inWindow), counts: series.counts.map(inWindow) }, at);
  }
  series.n = run.n;
  return { key, values: series.values };
}
