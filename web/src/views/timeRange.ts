import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import { type Stretch, type TimeZoom, withInstant, withinRun } from "../charts/timeRange.ts";
import type { Session } from "../engine/session.ts";
import { useRun, useSession } from "../panels/context.tsx";
import { stepOf } from "../scenario/store.ts";
import type { Field } from "./linkedState.ts";
import { useViews } from "./viewContext.tsx";
import { stateIn, type View, type Views } from "./views.ts";

/** Samples that the charts show at least. */
const LEAST_SAMPLES = 20;

/** A view whose charts may show a stretch of the run. */
export type TimedView = View<{ readonly time: Field<Stretch | null> }>;

/** What is shown of time, and what changes it; null where the view that is shown always shows the whole run. */
export function useTimeZoom(
  durationUs: number,
): { readonly domainUs: Stretch; readonly zoom: TimeZoom } | null {
  const views = useViews();
  const periodUs = useRun((run) => run.view?.layout.samplePeriodUs ?? 0);
  const view = useStore(views.store, ({ current }) => timed(current));
  const time = useStore(views.store, (state) => view && stateIn(state, view).time);
  return useMemo(
    () =>
      view && {
        domainUs: withinRun(time, durationUs) ?? [0, durationUs],
        zoom: {
          wholeUs: durationUs,
          leastUs: LEAST_SAMPLES * periodUs,
          show: (range) => views.change(view, { time: range }),
        },
      },
    [views, view, time, durationUs, periodUs],
  );
}

const timed = (view: View): TimedView | null =>
  "time" in view.fields ? (view as unknown as TimedView) : null;

/** Keeps the playhead in sight while the view is shown, and shows the whole of every scenario that is opened. */
export function useFollowedTime(view: TimedView): void {
  const session = useSession();
  const views = useViews();
  useEffect(() => followTime(session, views, view), [session, views, view]);
}

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
