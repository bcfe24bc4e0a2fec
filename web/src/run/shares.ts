import { column, figure } from "./read.ts";
import { aimsAtLatency } from "./targets.ts";
import type { RunView, Series } from "./types.ts";
import { windowSeries } from "./windows.ts";

/**
 * What part a class has of the goodput of all classes, as the mean over the time that figures of the present are averaged
 * over; NaN while nothing is carried.
 */
export function throughputShares(run: RunView, classIndex: number): Series {
  const columns = run.classes.map((_, i) => column(run, "goodputGbps", i));
  return windowSeries(run, `throughputShare.${classIndex}`, columns, ({ sums }) => {
    const all = sums.reduce((total, own) => total + own, 0);
    return all > 0 ? (sums[classIndex] as number) / all : Number.NaN;
  });
}

/** The same at the present instant. */
export function presentShare(run: RunView, classIndex: number): number {
  return partOf(run, "carriedGbps", classIndex);
}

/**
 * What part of the targets of all classes that of a class is: what it should have of the goodput, whatever that is. NaN where it has
 * no target, and where a class aims at a latency: what that one takes is no share.
 */
export function targetShare(run: RunView, classIndex: number): number {
  if (run.classes.some((_, i) => aimsAtLatency(run, i))) return Number.NaN;
  return partOf(run, "targetGbps", classIndex) || Number.NaN;
}

/** Part of a figure of all classes that belongs to one. */
function partOf(run: RunView, name: string, classIndex: number): number {
  const all = run.classes.reduce((sum, _, i) => sum + (figure(run, i, name) || 0), 0);
  return all > 0 ? (figure(run, classIndex, name) || 0) / all : Number.NaN;
}
