import { type Axis, type Ends, numberAxis } from "../../charts/drawing/axis.ts";
import type { Scale } from "../../generated/lesson.d.ts";

/** A range on which answers lie. */
export type Range = Scale;

/** The axis of a range; values beyond its ends are drawn at them. */
export function answerAxis({ min, max, log = false }: Range, pixels: Ends, count: number): Axis {
  const axis = numberAxis(log, [min, max], pixels, count);
  axis.scale.clamp(true);
  return axis;
}

/** The range that the points of a curve are asked at. */
export function rangeOf(values: readonly number[], log = false): Range {
  return { min: Math.min(...values), max: Math.max(...values), log };
}

/** Bins of a histogram over a range, of equal width as it is drawn; what lies outside is in the outermost. */
export function binned(values: readonly number[], range: Range, bins: number): readonly number[] {
  const counts = new Array<number>(bins).fill(0);
  const { scale } = answerAxis(range, [0, bins], 1);
  for (const value of values) {
    const at = Math.min(bins - 1, Math.floor(scale(value)));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}
