import type { Claim as StoryClaim } from "../generated/scenario.d.ts";
import { hasNetwork, outOfReach } from "./bottleneck.ts";
import { latelyUs } from "./deadlines.ts";
import { deviceTitle } from "./devices.ts";
import { deadlockCycle } from "./links.ts";
import { allConvergedUs } from "./milestones.ts";
import { column, figure, samplesUntilNow } from "./read.ts";
import { lowerBound } from "./search.ts";
import type { RunView } from "./types.ts";

export type { ClaimMetric } from "../generated/scenario.d.ts";
export type { StoryClaim };

/** A claim of a story, as it stands now. */
export interface Claim extends StoryClaim {
  /** What its figure is now; NaN where there is none. */
  readonly value: number;
  readonly holds: boolean;
}

/** What a run shows where its scenario has no story that claims anything. */
export type Remark =
  /** Every class is as near to its share as the band of convergence allows; since when. */
  | { readonly id: "shares"; readonly holds: boolean; readonly sinceUs: number; readonly band: number }
  /** A device, and not the network, holds requests back: so many commands wait for it. */
  | { readonly id: "device"; readonly holds: true; readonly device: string; readonly waiting: number }
  /** The port that most of the traffic shares holds requests back: it transmits all the time, or next to it. */
  | { readonly id: "full"; readonly holds: true; readonly share: number };

/** The claims of a story as they stand now. Nothing before there are samples. */
export const claimsOf = (run: RunView, claims: readonly StoryClaim[]): readonly Claim[] =>
  samplesUntilNow(run) < 2
    ? []
    : claims.map((claim) => {
        const value = figureOf(run, claim);
        const [min, max] = [claim.min ?? Number.NEGATIVE_INFINITY, claim.max ?? Number.POSITIVE_INFINITY];
        return { ...claim, value, holds: value >= min && value <= max };
      });

/** What can be said of any run. Nothing before there is anything to tell it from. */
export function remarksOf(run: RunView): readonly Remark[] {
  if (samplesUntilNow(run) < 2) return [];
  const limiting = run.bottleneck.device;
  if (limiting !== null) {
    const waiting = run.bottleneck.waiting[limiting] ?? Number.NaN;
    return [{ id: "device", holds: true, device: deviceTitle(run, limiting), waiting }];
  }
  const { saturated, utilisation: share } = run.bottleneck;
  const isFull = hasNetwork(run) && saturated;
  return [...shares(run), ...(isFull ? [{ id: "full", holds: true, share } as const] : [])];
}

function shares(run: RunView): readonly Remark[] {
  const steered = run.classes.filter((_, i) => figure(run, i, "targetGbps") > 0);
  if (steered.length < 2 || outOfReach(run) !== null) return [];
  const sinceUs = allConvergedUs(run);
  const { convergenceBand } = run.layout;
  return [{ id: "shares", holds: sinceUs !== null, sinceUs: sinceUs ?? Number.NaN, band: convergenceBand }];
}

/** A figure of the run as it stands now; NaN where there is none. */
function figureOf(run: RunView, { metric, class: name }: StoryClaim): number {
  const all = run.classes.map((_, i) => i);
  const own = name == null ? all : all.filter((i) => run.classes[i]?.name === name);
  const worst = (values: readonly number[]) => {
    const known = values.filter(Number.isFinite);
    return known.length > 0 ? Math.max(...known) : Number.NaN;
  };
  const goodput = (classes: readonly number[]) =>
    classes.reduce((sum, i) => sum + (lately(run, at(run, "goodputGbps", i)) || 0), 0);
  switch (metric) {
    case "distance":
      return worst(own.map((i) => Math.abs(lately(run, at(run, "qualityFactor", i)) - 1)));
    case "convergedUs":
      return Math.max(...own.map((i) => convergedUs(run, i)));
    case "share":
      return goodput(all) > 0 ? goodput(own) / goodput(all) : Number.NaN;
    case "carriedGbps":
      return goodput(own);
    case "p50Us":
    case "p99Us":
    case "p999Us":
      return worst(own.map((i) => figure(run, i, metric)));
    case "missed":
      return worst(own.map((i) => figure(run, i, "missedFraction")));
    case "retransmitted":
      return worst(own.map((i) => figure(run, i, "retransmittedFraction")));
    case "utilisation":
      return hasNetwork(run) ? run.bottleneck.utilisation : Number.NaN;
    case "queuePackets":
      return lately(run, at(run, "queueMean"));
    case "pausedLinks":
      return lately(run, at(run, "pausedLinks"));
    case "deadlockedLinks":
      return deadlockCycle(run).length;
    case "waitingCommands":
      return run.bottleneck.waiting.length > 0
        ? run.bottleneck.waiting.reduce((sum, waiting) => sum + waiting, 0)
        : Number.NaN;
    default:
      return Number.NaN;
  }
}

/** When the quality factor of a class first came near 1 to stay; NaN where it has not. */
const convergedUs = (run: RunView, index: number): number =>
  run.convergence[index]?.find(({ kind }) => kind === "converged")?.atUs ?? Number.NaN;

/** A quantity by the number of the sample; NaN where there is none. */
type Sampled = (sample: number) => number;

const at =
  (run: RunView, name: string, classIndex?: number): Sampled =>
  (sample) =>
    column(run, name, classIndex)?.[sample] ?? Number.NaN;

/** The mean of the samples of lately that have a value. */
function lately(run: RunView, value: Sampled): number {
  const end = samplesUntilNow(run);
  const from = lowerBound(run.timeUs, end, run.nowUs - latelyUs(run) + 1e-6);
  let sum = 0;
  let count = 0;
  for (let sample = Math.min(from, end - 1); sample < end; sample++) {
    const one = value(sample);
    if (Number.isFinite(one)) {
      sum += one;
      count++;
    }
  }
  return sum / count;
}
