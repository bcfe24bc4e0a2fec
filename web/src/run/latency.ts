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

/** A point of a latency curve. */
export interface CurvePoint {
  readonly us: number;
  readonly share: number;
}

/** Below every share that an axis shows: a curve that ends at zero is drawn down to here. */
const FLOOR = 1e-5;

/**
 * A latency curve as a line, split at the share `known`: requests enough beyond a point, and too few. The two parts share the point at
 * which it is split. A step is a vertical part.
 */
export function curveParts(
  pairs: Float64Array,
  known: number,
): { readonly solid: readonly CurvePoint[]; readonly dotted: readonly CurvePoint[] } {
  const solid: CurvePoint[] = [];
  const dotted: CurvePoint[] = [];
  let before: CurvePoint | null = null;
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const here = { us: pairs[i] as number, share: Math.max(pairs[i + 1] as number, FLOOR) };
    if (before && before.share >= known && here.share < known) {
      const part = Math.log(before.share / known) / Math.log(before.share / here.share);
      const split = { us: before.us * (here.us / before.us) ** part, share: known };
      solid.push(split);
      dotted.push(split);
    }
    (here.share >= known ? solid : dotted).push(here);
    if (here.share <= FLOOR) break;
    before = here;
  }
  return { solid, dotted };
}

/** A percentile of a class's latency so far, from its curve; NaN while no request has told. */
export const percentileFigure = (run: RunView, classIndex: number, percentile: number): number =>
  latencyAt(run.latency[classIndex] ?? new Float64Array(0), 1 - percentile / 100);
