import { figure, overloadedClasses } from "../../run/read.ts";
import type { RunView } from "../../run/types.ts";
import { formatDuration } from "../drawing/format.ts";

/** What one must know before reading latencies: that they measure the run, or why there are none. */
export function latencyNotes(run: RunView, backlogged: boolean): string[] {
  const overloaded = overloadedClasses(run);
  const completed = run.classes.some((_, i) => figure(run, i, "requestsCompleted") > 0);
  const notes = [];
  if (overloaded.length > 0)
    notes.push(
      `${overloaded.join(", ")}: more is offered than is carried, so waits grow without bound and latencies tell no more than ` +
        "the length of the run. Offer less, or keep a number of requests outstanding.",
    );
  if (!completed) notes.push(emptyLatency(run, backlogged));
  return notes;
}

function emptyLatency({ layout, nowUs }: RunView, backlogged: boolean): string {
  if (backlogged) return "Empty: a backlogged connection sends one endless stream, without requests to time.";
  if (layout.warmupUs > 0 && nowUs >= layout.warmupUs)
    return `Empty: no request has completed since the warm-up ended at ${formatDuration(layout.warmupUs)}.`;
  return "Empty: no request has completed yet.";
}

/** From when on latencies count: "since 4 ms", or what is about to happen to those shown. */
export function latencySpan({ layout, nowUs }: RunView): string {
  const { warmupUs } = layout;
  if (warmupUs <= 0) return "since the start";
  const end = formatDuration(warmupUs);
  return nowUs < warmupUs ? `of the warm-up, starts again at ${end}` : `since ${end}`;
}
