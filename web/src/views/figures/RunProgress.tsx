import { useEffect } from "react";
import { useStore } from "zustand";
import { firstScenario } from "../../scenario/first.ts";
import { aboutTime } from "../../workbench/aboutTime.ts";
import { RunButtons } from "../../workbench/RunButtons.tsx";
import { figureRuns } from "./running.ts";

/** How long so many events take on this machine, in milliseconds, once that has been measured. */
export function useEstimate(events: number): number | null {
  useStore(figureRuns.store, (state) => state.eventsPerSecond);
  useEffect(() => figureRuns.calibrate(firstScenario), []);
  return figureRuns.estimateMs(events);
}

/** How far the figures are that are run again, and what ends them. */
export function RunProgress({ only }: { readonly only?: string }) {
  const { asked, isPaused, part, leftMs, figures } = useStore(figureRuns.store);
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
      <RunButtons runs={figureRuns} isPaused={isPaused} />
    </div>
  );
}
