import type { Series } from "../../run/types.ts";
import type { Mapping, Polyline } from "./polyline.ts";
import { push } from "./polyline.ts";

/**
 * Samples gathered by pixel column (the idea of M4: Jugel et al., VLDB 2014), kept up as samples arrive: what a frame
 * costs depends on the pixels of a plot, not on how many samples a run has.
 */
export interface Bins {
  /** Pixel columns from the left edge of the plot on. */
  readonly columns: number;
  /** Samples of a column that have a value; the numbers below mean something only where it is above zero. */
  readonly count: Uint32Array;
  readonly sum: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly last: Float64Array;
  /** Where in time they stand. */
  readonly minUs: Float64Array;
  readonly maxUs: Float64Array;
  readonly lastUs: Float64Array;
  /** Samples without a value came after the last one with a value. */
  readonly gap: Uint8Array;
  /** The last sample before the plot and the first one after it: a line goes on to them. */
  readonly before: Beyond;
  readonly after: Beyond;
}

/** A sample beside the plot; its value is not-a-number where there is none. */
interface Beyond {
  us: number;
  value: number;
}

interface Growing extends Bins {
  /** Samples taken in so far. */
  taken: number;
  readonly frame: TimeFrame;
}

/** Which time stands at which pixel of a plot. */
export interface TimeFrame {
  readonly left: number;
  readonly right: number;
  readonly x: Mapping;
  readonly timeAt: Mapping;
}

const cache = new WeakMap<object, Map<string, Growing>>();

/**
 * The bins of the first `n` samples of a series. They belong to `owner`, the run or model that has the series, and only
 * the samples that came since the last time are looked at.
 */
export function binsOf(
  owner: object,
  times: ArrayLike<number>,
  { key, values }: Series,
  n: number,
  frame: TimeFrame,
): Bins {
  const kept = cache.get(owner) ?? new Map<string, Growing>();
  cache.set(owner, kept);
  let bins = kept.get(key);
  if (!bins || n < bins.taken || !isSame(bins.frame, frame)) {
    bins = emptyBins(frame);
    kept.set(key, bins);
  }
  for (let i = bins.taken; i < n; i++) take(bins, times[i] as number, values[i] as number);
  bins.taken = n;
  return bins;
}

const isSame = (a: TimeFrame, b: TimeFrame): boolean =>
  a.left === b.left &&
  a.right === b.right &&
  a.timeAt(a.left) === b.timeAt(b.left) &&
  a.timeAt(a.right) === b.timeAt(b.right);

function emptyBins(frame: TimeFrame): Growing {
  const columns = Math.max(1, Math.ceil(frame.right) - Math.floor(frame.left) + 1);
  const numbers = () => new Float64Array(columns);
  return {
    frame,
    taken: 0,
    columns,
    count: new Uint32Array(columns),
    sum: numbers(),
    min: numbers(),
    max: numbers(),
    last: numbers(),
    minUs: numbers(),
    maxUs: numbers(),
    lastUs: numbers(),
    gap: new Uint8Array(columns),
    before: { us: Number.NaN, value: Number.NaN },
    after: { us: Number.NaN, value: Number.NaN },
  };
}

function take(bins: Growing, us: number, value: number): void {
  const at = Math.floor(bins.frame.x(us)) - Math.floor(bins.frame.left);
  if (at < 0) Object.assign(bins.before, { us, value });
  else if (at >= bins.columns && Number.isNaN(bins.after.us)) Object.assign(bins.after, { us, value });
  if (at < 0 || at >= bins.columns) return;
  if (Number.isNaN(value)) {
    bins.gap[at] = 1;
    return;
  }
  const first = bins.count[at] === 0;
  if (first || value < (bins.min[at] as number)) {
    bins.min[at] = value;
    bins.minUs[at] = us;
  }
  if (first || value > (bins.max[at] as number)) {
    bins.max[at] = value;
    bins.maxUs[at] = us;
  }
  bins.count[at] = (bins.count[at] as number) + 1;
  bins.sum[at] = (bins.sum[at] as number) + value;
  bins.last[at] = value;
  bins.lastUs[at] = us;
  bins.gap[at] = 0;
}

/**
 * Fills `line` with the pixels of a series: where a column's samples span more than two pixels their extremes survive in
 * order of appearance, elsewhere one point stands for the column. `y` is monotonic and may clamp; NaN is a gap.
 */
export function trace(line: Polyline, bins: Bins, x: Mapping, y: Mapping): Polyline {
  line.length = 0;
  const beyond = ({ us, value }: Beyond) => {
    if (!Number.isNaN(value)) push(line, x(us), y(value));
  };
  beyond(bins.before);
  for (let i = 0; i < bins.columns; i++) {
    if (bins.count[i] === 0) {
      if (bins.gap[i] === 1) push(line, Number.NaN, Number.NaN);
      continue;
    }
    const [low, high, last] = [bins.min[i] as number, bins.max[i] as number, bins.last[i] as number];
    const ends = [
      { us: bins.minUs[i] as number, value: low },
      { us: bins.maxUs[i] as number, value: high },
    ];
    const spread = Math.abs(y(high) - y(low)) > 2;
    if (spread) {
      if ((ends[0]?.us as number) > (ends[1]?.us as number)) ends.reverse();
      for (const { us, value } of ends) push(line, x(us), y(value));
    }
    if (!spread || (last !== low && last !== high)) push(line, x(bins.lastUs[i] as number), y(last));
    if (bins.gap[i] === 1) push(line, Number.NaN, Number.NaN);
  }
  beyond(bins.after);
  return line;
}

/**
 * As `trace`, but with the mean of the last `window` columns at each: in pixels, so that it is the geometric mean where the
 * axis is logarithmic.
 */
export function traceMean(line: Polyline, bins: Bins, window: number, x: Mapping, y: Mapping): Polyline {
  line.length = 0;
  const mean = (i: number) =>
    y((bins.sum[i] as number) / (bins.count[i] as number)) * (bins.count[i] as number);
  let sum = 0;
  let count = 0;
  for (let i = 0; i < bins.columns; i++) {
    if (bins.count[i] !== 0) {
      sum += mean(i);
      count += bins.count[i] as number;
    }
    const out = i - window;
    if (out >= 0 && bins.count[out] !== 0) {
      sum -= mean(out);
      count -= bins.count[out] as number;
    }
    if (bins.count[i] === 0) continue;
    push(line, x(bins.lastUs[i] as number), sum / count);
  }
  return line;
}

/** How far the line of a series goes up and down, in pixels, per pixel of time. */
export function restlessness(bins: Bins, y: Mapping): number {
  let travelled = 0;
  let columns = 0;
  let before = Number.NaN;
  for (let i = 0; i < bins.columns; i++) {
    if (bins.count[i] === 0) continue;
    columns = i + 1;
    const [low, high, last] = [y(bins.min[i] as number), y(bins.max[i] as number), y(bins.last[i] as number)];
    travelled += Math.abs(high - low);
    if (!Number.isNaN(before)) travelled += Math.abs(last - before);
    before = last;
  }
  return columns === 0 ? 0 : travelled / columns;
}
