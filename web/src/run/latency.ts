import type { RunView } from "./types.ts";

/** Share of requests slower than a latency: the curve's step at or after it; NaN beyond the slowest. */
export function shareSlower(pairs: Float64Array, us: number): number {
  let low = 0;
  let high = pairs.length / 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pairs[middle * 2] as number) < us) low = middle + 1;
    else high = middle;
  }
  return pairs[low * 2 + 1] ?? Number.NaN;
}

/** Share of requests that took no longer: all of them beyond the slowest; NaN without a curve. */
export function shareWithin(pairs: Float64Array, us: number): number {
  if (pairs.length < 2) return Number.NaN;
  const slower = shareSlower(pairs, us);
  return Number.isNaN(slower) ? 1 : 1 - slower;
}

/** A point of a latency curve. */
export interface CurvePoint {
  readonly us: number;
  readonly share: number;
}

/** Latency at which a curve crosses a share between two points, interpolated in the logarithms. */
export function crossing(before: CurvePoint, after: CurvePoint, share: number): number {
  const part = Math.log(before.share / share) / Math.log(before.share / after.share);
  return before.us * (after.us / before.us) ** Math.max(0, Math.min(1, part));
}

/** Latency at which the curve crosses a share, interpolated in the logarithms; NaN beyond the curve. */
export function latencyAt(pairs: Float64Array, share: number): number {
  for (let i = 2; i + 1 < pairs.length; i += 2) {
    const here = pairs[i + 1] as number;
    if (here > share) continue;
    const before = pairs[i - 1] as number;
    const us = pairs[i] as number;
    const usBefore = pairs[i - 2] as number;
    if (here <= 0 || before <= here) return us;
    return crossing({ us: usBefore, share: before }, { us, share: here }, share);
  }
  return Number.NaN;
}

/** A percentile of a class's latency so far, from its curve; NaN while no request has told. */
export const percentileFigure = (run: RunView, classIndex: number, percentile: number): number =>
  latencyAt(run.latency[classIndex] ?? new Float64Array(0), 1 - percentile / 100);
