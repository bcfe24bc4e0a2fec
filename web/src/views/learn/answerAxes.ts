import { formatTick } from "../../charts/drawing/format.ts";
import { roundTicks, type Tick } from "../../charts/drawing/ticks.ts";

/** A range on which answers lie. */
export interface Range {
  readonly min: number;
  readonly max: number;
  readonly log?: boolean;
}

/** Where a value lies in a range, from 0 to 1; outside of it beyond these. */
export const shareIn = ({ min, max, log = false }: Range, value: number): number =>
  log ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);

/** Labelled ticks of a range: round steps, or 1, 2 and 5 of every decade; only the decades where these are many. */
export function ticksOf({ min, max, log = false }: Range, count: number): Tick[] {
  if (!log) return roundTicks(min, max, count);
  const decades = Math.log10(max / min);
  const multiples = decades * 3 > count ? [1] : [1, 2, 5];
  const found: Tick[] = [];
  for (let decade = 10 ** Math.floor(Math.log10(min)); decade <= max * (1 + 1e-9); decade *= 10) {
    for (const multiple of multiples) {
      const value = Number((multiple * decade).toPrecision(6));
      if (value >= min * (1 - 1e-9) && value <= max * (1 + 1e-9))
        found.push({ value, label: formatTick(value, value < 1 ? value : 1) });
    }
  }
  return found;
}

/** The range that the points of a curve are asked at. */
export function rangeOf(values: readonly number[], log = false): Range {
  return { min: Math.min(...values), max: Math.max(...values), log };
}

/** Bins of a histogram over a range, of equal width as it is drawn; what lies outside is in the outermost. */
export function binned(values: readonly number[], range: Range, bins: number): readonly number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const value of values) {
    const at = Math.min(bins - 1, Math.max(0, Math.floor(shareIn(range, value) * bins) || 0));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}
