import { column } from "./read.ts";
import type { RunView, Series } from "./types.ts";
import { windowSeries } from "./windows.ts";

/**
 * The quality factor of a class at each sample as the figures of the present have it: its mean target over its mean goodput. Of a
 * class that aims at a latency, and of one that carried nothing, the mean of the factors that the control saw; NaN where the class
 * has none.
 */
export function meanQuality(run: RunView, classIndex: number): Series | undefined {
  const factors = column(run, "qualityFactor", classIndex);
  if (!factors) return undefined;
  const columns = [column(run, "targetGbps", classIndex), column(run, "goodputGbps", classIndex), factors];
  return windowSeries(run, `meanQuality.${classIndex}`, columns, ({ sums, counts }, sample) => {
    const [target = 0, carried = 0, factor = 0] = sums;
    if (Number.isNaN(factors[sample] as number)) return Number.NaN;
    return target > 0 && carried > 0 ? target / carried : factor / (counts[2] ?? 0);
  });
}
