import { column, samplesUntilNow } from "./read.ts";
import type { RunView } from "./types.ts";

/** Length of what counts as "lately", in us; longer where fewer than so many requests were done in it. */
const LATELY_US = 1000;
const ENOUGH = 300;

/** Requests of each class that were done lately, and over how long: whole samples up to now, none of the warm-up. */
export function requestsLately(run: RunView): { readonly requests: readonly number[]; readonly us: number } {
  const n = samplesUntilNow(run);
  const columns = run.classes.map((_, i) => column(run, "requests", i));
  const requests = columns.map(() => 0);
  let first = n;
  let sum = 0;
  while (first > 0) {
    const us = run.timeUs[first - 1] as number;
    const isRecent = us > run.nowUs - LATELY_US + 1e-6;
    if (!isRecent && (sum >= ENOUGH || us <= run.layout.warmupUs + 1e-6)) break;
    first--;
    for (const [i, values] of columns.entries()) {
      const done = values?.[first] ?? 0;
      requests[i] = (requests[i] as number) + done;
      sum += done;
    }
  }
  const from = first > 0 ? (run.timeUs[first - 1] as number) : 0;
  return { requests, us: n > 0 ? (run.timeUs[n - 1] as number) - from : 0 };
}
