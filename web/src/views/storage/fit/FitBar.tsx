import { useStore } from "zustand";
import { fixed } from "../../../charts/drawing/format.ts";
import { type FitRunsState, fitRuns, jobsOf } from "../../../engine/campaign/fit/fitRuns.ts";
import { useSession } from "../../../panels/context.tsx";
import { Button } from "../../../ui/Button.tsx";
import { aboutTime } from "../../../workbench/aboutTime.ts";
import { RunButtons } from "../../../workbench/RunButtons.tsx";
import { counted } from "./fitText.ts";

/** How far the fit is, and what acts on it. */
export function FitBar() {
  const state = useStore(fitRuns.store);
  const { phase, runs, progress, diagnostics, sentence } = state;
  const goes = phase === "running" || phase === "paused";
  const session = useSession();
  const start = () => {
    // The run of the page would take a core from it.
    session.pause();
    void fitRuns.start();
  };
  const begun = goes || phase === "done";
  return (
    <header className="sweep-bar fit-bar">
      <div className="study-progress">
        <div className="study-progress-line">
          {begun && progress && (
            <>
              <b role="status" aria-live={phase === "running" ? "off" : "polite"}>
                {phase === "done"
                  ? counted(runs.known, "run")
                  : `${fixed(runs.known, 0)} of ${progress.isLimit ? "at most " : ""}${counted(runs.wanted, "run")}`}
              </b>
              {goes && (
                <progress aria-label="Share of the runs that are done" value={runs.known} max={runs.wanted} />
              )}
            </>
          )}
          <span className="note">{noteOf(state)}</span>
        </div>
        <div className="study-progress-buttons">
          {goes && <RunButtons runs={fitRuns} isPaused={phase === "paused"} />}
          {phase === "ready" && (
            <Button look="primary" icon="play" onClick={start}>
              Fit
            </Button>
          )}
          {(phase === "done" || phase === "cancelled" || phase === "failed") && (
            <Button icon="restart" onClick={start}>
              Fit again
            </Button>
          )}
        </div>
        {diagnostics.length > 0 &&
          diagnostics.map(({ path, reason, hint }) => (
            <p key={`${path} ${reason}`} className="study-refused" role="alert">
              The fit {path && `(${path}) `}
              {reason}. {hint}
            </p>
          ))}
        {phase === "failed" && diagnostics.length === 0 && (
          <p className="study-refused" role="alert">
            {sentence} The files are kept.
          </p>
        )}
      </div>
    </header>
  );
}

/** What stands beside the bar of progress. */
function noteOf({ phase, files, heldOut, workers, ranMs, secondsLeft, answer }: FitRunsState): string {
  const jobs = jobsOf(files).length;
  const held = heldOut.filter(Boolean).length;
  const side = counted(workers, "worker");
  switch (phase) {
    case "none":
      return "Give results of fio jobs that ran on the drive: the parameters that they determine are fitted, all others stay.";
    case "opening":
      return "The jobs are being looked at …";
    case "ready":
      return `${counted(jobs - held, "job")} to fit to, ${fixed(held, 0)} held out. Nothing has been run yet.`;
    case "running":
      return secondsLeft === null ? `on ${side}` : `on ${side}, ${aboutTime(1000 * secondsLeft)} left`;
    case "paused":
      return "Paused. Results are kept, also when the page is closed.";
    case "cancelled":
      return "Cancelled. The files are kept.";
    case "done":
      return `done in ${fixed(ranMs / 1000, 0)} s on ${side}, seed ${answer?.seed ?? ""}`;
    case "refused":
    case "failed":
      return "";
  }
}
