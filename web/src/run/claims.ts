import { limitingDevice } from "./bottleneck.ts";
import { deadlines } from "./deadlines.ts";
import { deviceTitle } from "./devices.ts";
import { allConvergedUs } from "./milestones.ts";
import { column, figure, presentSamples, samplesUntilNow } from "./read.ts";
import type { RunView } from "./types.ts";

/** Something that may come true in a run. */
export type Claim =
  /** Every class is as near to its share as the band of convergence allows; since when. */
  | { readonly id: "shares"; readonly holds: boolean; readonly sinceUs: number; readonly band: number }
  /** Every class with a latency target keeps all but a hundredth of it; otherwise who misses most. */
  | { readonly id: "deadlines"; readonly holds: boolean; readonly worst: string; readonly missed: number }
  /** A device, and not the network, holds requests back. */
  | { readonly id: "device"; readonly holds: true; readonly device: string }
  /** The bottleneck carries next to all it can. */
  | { readonly id: "full"; readonly holds: boolean; readonly share: number }
  /** No packet had to be sent again. */
  | { readonly id: "lossless"; readonly holds: boolean; readonly part: number };

/** Misses up to this share count as kept. */
const KEPT = 0.01;
/** A bottleneck from this utilisation on counts as full. */
const FULL = 0.95;

/** What may come true in a run, as it stands now. Nothing before there is anything to tell it from. */
export function claimsOf(run: RunView): readonly Claim[] {
  if (samplesUntilNow(run) < 2) return [];
  return [...shares(run), ...ofDeadlines(run), ...full(run), ...lossless(run)];
}

function shares(run: RunView): readonly Claim[] {
  const steered = run.classes.filter((_, i) => figure(run, i, "targetGbps") > 0);
  if (steered.length < 2 || limitingDevice(run) !== null) return [];
  const sinceUs = allConvergedUs(run);
  const { convergenceBand } = run.layout;
  return [{ id: "shares", holds: sinceUs !== null, sinceUs: sinceUs ?? Number.NaN, band: convergenceBand }];
}

function ofDeadlines(run: RunView): readonly Claim[] {
  const known = deadlines(run).filter(({ missed }) => Number.isFinite(missed));
  const worst = known.toSorted((a, b) => b.missed - a.missed)[0];
  if (!worst) return [];
  const name = run.classes[worst.classIndex]?.name ?? "";
  return [{ id: "deadlines", holds: worst.missed <= KEPT, worst: name, missed: worst.missed }];
}

function full(run: RunView): readonly Claim[] {
  const limiting = limitingDevice(run);
  if (limiting !== null) return [{ id: "device", holds: true, device: deviceTitle(run, limiting) }];
  const values = column(run, "utilisation");
  const n = samplesUntilNow(run);
  if (!values || run.layout.graph.bottleneck < 0 || run.layout.graph.links.length === 0) return [];
  const from = Math.max(0, n - presentSamples(run));
  let sum = 0;
  for (let s = from; s < n; s++) sum += values[s] as number;
  const share = sum / (n - from);
  return Number.isFinite(share) ? [{ id: "full", holds: share >= FULL, share }] : [];
}

function lossless(run: RunView): readonly Claim[] {
  const parts = run.classes.map((_, i) => figure(run, i, "retransmittedFraction")).filter(Number.isFinite);
  if (parts.length === 0) return [];
  const part = Math.max(...parts);
  return [{ id: "lossless", holds: part === 0, part }];
}
