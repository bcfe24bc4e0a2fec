import { figure } from "./read.ts";
import type { RunView } from "./types.ts";

/** All its requests are done and it carries nothing, though the last packet may still wait for its acknowledgement. */
function isIdle(run: RunView, classIndex: number): boolean {
  const issued = figure(run, classIndex, "requestsIssued");
  const done = issued > 0 && issued === figure(run, classIndex, "requestsCompleted");
  return done && !(figure(run, classIndex, "carriedGbps") > 0);
}

/** What a class should carry now, in Gb/s; NaN where no target applies, which the engine writes as zero. */
export const presentTarget = (run: RunView, classIndex: number): number =>
  isIdle(run, classIndex) ? Number.NaN : figure(run, classIndex, "targetGbps") || Number.NaN;

/** The quality factor of a class now; NaN where it has none. */
export const presentQuality = (run: RunView, classIndex: number): number =>
  isIdle(run, classIndex) ? Number.NaN : figure(run, classIndex, "qualityFactor");

/** Whether a class aims at a latency, and so at no rate: it comes before those that share. */
export const aimsAtLatency = (run: RunView, classIndex: number): boolean =>
  Number.isFinite(figure(run, classIndex, "latencyTargetUs")) && !(figure(run, classIndex, "targetGbps") > 0);
