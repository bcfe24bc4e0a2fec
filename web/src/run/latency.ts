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

/** Latency at which the curve crosses a share, interpolated in the logarithms; NaN beyond the curve. */
export function latencyAt(pairs: Float64Array, share: number): number {
  for (let i = 2; i + 1 < pairs.length; i += 2) {
    const here = pairs[i + 1] as number;
    if (here > share) continue;
    const before = pairs[i - 1] as number;
    const us = pairs[i] as number;
    const usBefore = pairs[i - 2] as number;
    if (here <= 0 || before <= here) return us;
    const part = Math.log(before / share) / Math.log(before / here);
    return usBefore * (us / usBefore) ** Math.max(0, Math.min(1, part));
  }
  return Number.NaN;
}

/** A percentile of a class's latency so far, from its curve; NaN while no request has told. */
export const percentileFigure = (run: RunView, classIndex: number, percentile: number): number =>
  latencyAt(run.latency[classIndex] ?? new Float64Array(0), 1 - percentile / 100);
