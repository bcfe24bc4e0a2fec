import { column, figure, presentSamples } from "./read.ts";
import { aimsAtLatency } from "./targets.ts";
import type { RunView, Series } from "./types.ts";

/** What has been worked out of a run, sample by sample. */
interface Shares {
  n: number;
  /** Sums of the goodput of each class, and of all, up to and including a sample. */
  readonly sums: readonly number[][];
  readonly values: readonly number[][];
}

const known = new WeakMap<RunView, Shares>();

/**
 * What part a class has of the goodput of all classes, as the mean over the time that figures of the present are averaged
 * over; NaN while nothing is carried.
 */
export function throughputShares(run: RunView, classIndex: number): Series {
  return { key: `throughputShare.${classIndex}`, values: sharesOf(run).values[classIndex] ?? [] };
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

/** All samples there are, of which only those that are new are worked out. */
function sharesOf(run: RunView): Shares {
  const { classes } = run;
  let shares = known.get(run);
  if (!shares) {
    shares = { n: 0, sums: [...classes, null].map(() => []), values: classes.map(() => []) };
    known.set(run, shares);
  }
  const { sums, values } = shares;
  const window = presentSamples(run);
  const columns = classes.map((_, i) => column(run, "goodputGbps", i));
  const all = classes.length;
  for (let at = Math.min(shares.n, run.n); at < run.n; at++) {
    const since = (i: number) => (sums[i]?.[at] as number) - (sums[i]?.[at - window] ?? 0);
    const add = (i: number, amount: number) => {
      (sums[i] as number[])[at] = (sums[i]?.[at - 1] ?? 0) + amount;
    };
    const amounts = columns.map((values) => values?.[at] || 0);
    for (const [i, amount] of amounts.entries()) add(i, amount);
    add(
      all,
      amounts.reduce((sum, amount) => sum + amount, 0),
    );
    for (const [i, own] of values.entries()) own[at] = since(all) > 0 ? since(i) / since(all) : Number.NaN;
  }
  shares.n = run.n;
  return shares;
}
