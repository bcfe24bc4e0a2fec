import { type Stretch, withInstant } from "../../charts/time/timeRange.ts";
import type { Session } from "../../engine/run/session.ts";
import { stepOf } from "../../scenario/store.ts";
import { stateIn, type Views } from "../view/views.ts";
import type { TimedView } from "./timeRange.ts";

/**
 * Moves the stretch with the playhead, which then stands at its end as on a scope, if it was in sight when the stretch was
 * chosen: who has gone elsewhere stays there, and so does a link. Returns the way to stop.
 */
export function followTime(
  { run, store }: Pick<Session, "run" | "store">,
  views: Views,
  view: TimedView,
): () => void {
  let follows = false;
  /** The stretch that was not chosen but followed. */
  let own: Stretch | null = null;
  const stops = [
    views.store.subscribe((state, last) => {
      const { time } = stateIn(state, view);
      if (time === stateIn(last, view).time || time === own) return;
      const { nowUs } = run.getState();
      follows = time !== null && time[0] < nowUs && nowUs <= time[1];
    }),
    run.subscribe(({ nowUs, phase }) => {
      const { time } = views.stateOf(view);
      if (!follows || time === null || phase === "loading") return;
      // A run that begins anew is waited for where it was.
      if (phase === "running" && nowUs < time[0]) return;
      const next = withInstant(time, nowUs);
      if (next[0] === time[0]) return;
      own = next;
      views.change(view, { time: next });
    }),
    store.subscribe((state, last) => {
      if (stepOf(state).visit !== stepOf(last).visit) views.change(view, { time: null });
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
