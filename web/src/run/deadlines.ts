import { column, figure, samplesUntilNow } from "./read.ts";
import type { RunView } from "./types.ts";

/** How a class does by its latency target; shares of requests that took longer. */
export interface Deadline {
  readonly classIndex: number;
  readonly targetUs: number;
  /** Of all since warm-up; NaN before the first. */
  readonly missed: number;
  /** Of those that ended in the samples of the present; NaN where none did. */
  readonly missedNow: number;
}

/** The classes of a run that have a target. */
export function deadlines(run: RunView): Deadline[] {
  return run.classes.flatMap((_, classIndex) => {
    const targetUs = figure(run, classIndex, "latencyTargetUs");
    if (!Number.isFinite(targetUs)) return [];
    const missed = figure(run, classIndex, "missedFraction");
    return [{ classIndex, targetUs, missed, missedNow: lately(run, classIndex) }];
  });
}

/** Part of a run that counts as lately, where the present is too short for requests to end in it. */
const LATELY = 0.05;

/** Length of what counts as lately. */
export const latelyUs = ({ layout }: RunView): number => Math.max(layout.nowUs, LATELY * layout.durationUs);

function lately(run: RunView, classIndex: number): number {
  const shares = column(run, "missedFraction", classIndex);
  const requests = column(run, "requests", classIndex);
  let missed = 0;
  let ended = 0;
  for (let s = samplesUntilNow(run) - 1; shares && requests && s >= 0; s--) {
    if ((run.timeUs[s] as number) <= run.nowUs - latelyUs(run)) break;
    const share = shares[s] as number;
    if (Number.isNaN(share)) continue;
    missed += share * (requests[s] as number);
    ended += requests[s] as number;
  }
  return missed / ended;
}
