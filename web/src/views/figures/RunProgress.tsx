import { useEffect } from "react";
import { useStore } from "zustand";
import type { FigureWish } from "../../engine/campaign/figures/figureRuns.ts";
import { firstScenario } from "../../scenario/first.ts";
import { Button } from "../../ui/Button.tsx";
import { aboutTime } from "../../workbench/aboutTime.ts";
import { type FigureFile, RESULTS } from "./figureFiles.ts";
import { figureRuns } from "./running.ts";

/** What the engine needs to run a figure again. */
export const wishOf = (figure: FigureFile): FigureWish => ({
  id: figure.id,
  json: JSON.stringify(figure),
  events: RESULTS.figures[figure.id]?.events ?? 0,
});

/** How long so many events take on this machine, in milliseconds, once that has been measured. */
export function useEstimate(events: number): number | null {
  useStore(figureRuns.store, (state) => state.eventsPerSecond);
  useEffect(() => figureRuns.calibrate(firstScenario), []);
  return figureRuns.estimateMs(events);
}

/** How far the figures are that are run again, and what ends them. */
export function RunProgress({ only }: { readonly only?: string }) {
  const { asked, part, leftMs, figures } = useStore(figureRuns.store);
  const run = only === undefined ? undefined : figures[only];
  const ended = asked.filter((id) => ["done", "failed"].includes(figures[id]?.phase ?? "")).length;
  const where =
    run && asked.length === 1
      ? run.wanted > 0
        ? `${run.finished} of ${run.wanted} runs`
        : "Getting ready"
      : `${ended} of ${asked.length} figures`;
  return (
    <div className="figure-progress">
      <progress value={part} aria-label="Share of the work that is done" />
      <span className="note">
        {where}
        {leftMs !== null && `, ${aboutTime(leftMs)} left`}
      </span>
      <Button onClick={() => figureRuns.cancel()}>Cancel</Button>
    </div>
  );
}
