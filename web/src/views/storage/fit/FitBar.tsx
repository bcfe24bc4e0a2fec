import { useStore } from "zustand";
import { fixed } from "../../../charts/drawing/format.ts";
import { type FitRunsState, jobsOf } from "../../../engine/campaign/fit/fitRuns.ts";
import { fitRuns } from "../../../engine/campaign/fit/fits.ts";
import { useSession } from "../../../panels/context.tsx";
import { Button } from "../../../ui/Button.tsx";
import { counted } from "./fitText.ts";

/** How far the fit is, and what acts on it. */
export function FitBar() {
  const state = useStore(fitRuns.store);
  const { phase, progress, diagnostics, sentence } = state;
  const session = useSession();
  const start = () => {
    // The run of the page would take a core from it.
    session.pause();
    void fitRuns.start();
  };
  const begun = phase === "running" || phase === "done";
  return (
    <header className="sweep-bar fit-bar">
      <div className="study-progress">
        <div className="study-progress-line">
          {begun && progress && (
            <>
              <b role="status" aria-live={phase === "running" ? "off" : "polite"}>
                {phase === "done"
                  ? counted(progress.made, "run")
                  : `${fixed(progress.made, 0)} of at most ${counted(progress.most, "run")}`}
              </b>
              {phase === "running" && (
                <progress
                  aria-label="Share of the runs that are done"
                  value={progress.made}
                  max={progress.most}
                />
              )}
            </>
          )}
          <span className="note">{noteOf(state)}</span>
        </div>
        <div className="study-progress-buttons">
          {phase === "running" && <Button onClick={() => fitRuns.cancel()}>Cancel</Button>}
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
        {phase === "refused" &&
          diagnostics.map(({ path, reason, hint }) => (
            <p key={`${path} ${reason}`} className="study-refused" role="alert">
              The fit {path && `(${path}) `}
              {reason}. {hint}
            </p>
          ))}
        {phase === "failed" && (
          <p className="study-refused" role="alert">
            {sentence} The files are kept.
          </p>
        )}
      </div>
    </header>
  );
}

/** What stands beside the bar of progress. */
function noteOf({ phase, files, heldOut, workers, tookMs, outcome }: FitRunsState): string {
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
      return `on ${side}`;
    case "cancelled":
      return "Cancelled. The files are kept.";
    case "done":
      return `done in ${fixed(tookMs / 1000, 0)} s on ${side}, seed ${outcome?.seed ?? ""}`;
    case "refused":
    case "failed":
      return "";
  }
}
