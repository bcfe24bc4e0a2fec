import { useMemo } from "react";
import { useStore } from "zustand";
import { type Stretch, type TimeZoom, withinRun } from "../../charts/time/timeRange.ts";
import { useRun } from "../../panels/context.tsx";
import type { Field } from "../view/linkedState.ts";
import { useViews } from "../view/viewContext.tsx";
import { stateIn, type View } from "../view/views.ts";

/** Samples that the charts show at least. */
const MIN_SAMPLES = 20;

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
          minUs: MIN_SAMPLES * periodUs,
          show: (range) => views.change(view, { time: range }),
        },
      },
    [views, view, time, durationUs, periodUs],
  );
}

/** A view as one whose charts may show a stretch; null where they may not. */
export const timed = (view: View): TimedView | null =>
  "time" in view.fields ? (view as unknown as TimedView) : null;
