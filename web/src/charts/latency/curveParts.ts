import { type CurvePoint, crossing } from "../../run/latency.ts";

/** Below every share that an axis shows: a curve that ends at zero is drawn down to here. */
export const FLOOR = 1e-5;

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
      const split = { us: crossing(before, here, known), share: known };
      solid.push(split);
      dotted.push(split);
    }
    (here.share >= known ? solid : dotted).push(here);
    if (here.share <= FLOOR) break;
    before = here;
  }
  return { solid, dotted };
}
