import { fixed } from "../../charts/drawing/format.ts";
import { namedWithin } from "../../charts/study/studyText.ts";
import { studyRuns } from "../../engine/campaign/study/studies.ts";
import type { StudyRunsState } from "../../engine/campaign/study/studyRuns.ts";
import type { StudyTable } from "../../generated/answers.d.ts";
import type { StudyDocument } from "../../scenario/study.ts";
import { Button } from "../../ui/Button.tsx";
import { aboutTime } from "../../workbench/aboutTime.ts";
import { RunButtons } from "../../workbench/RunButtons.tsx";
import { useStudy } from "../../workbench/study/useStudy.tsx";
import { bytesText } from "./studyText.ts";

/** How far the runs of the study are, and what acts on them: start, pause, cancel and keep, go on. */
export function StudyProgress() {
  const { study, isFirst, runs: state, former, again } = useStudy();
  const { phase, runs, sentence, diagnostics, kept } = state;
  const share = runs.wanted > 0 ? runs.known / runs.wanted : 0;
  const goes = phase === "running" || phase === "paused";
  const isBegun = runs.known > 0 || goes;
  return (
    <div className="study-progress">
      <div className="study-progress-line">
        {!isBegun && phase === "ready" && study && <b>{askedText(study, state.table, isFirst)}</b>}
        {isBegun && (
          <>
            <b role="status" aria-live={phase === "running" ? "off" : "polite"}>
              {fixed(runs.known, 0)} of {fixed(runs.wanted, 0)} runs
            </b>
            <progress aria-label="Share of the runs that are done" value={share} max={1} />
          </>
        )}
        <span className="note study-progress-note">{noteOf(state)}</span>
      </div>
      <div className="study-progress-buttons">
        {goes && (
          <RunButtons
            runs={studyRuns}
            isPaused={phase === "paused"}
            cancel={runs.known > 0 ? `Cancel, keep ${fixed(runs.known, 0)}` : "Cancel"}
          />
        )}
        {(phase === "ready" || phase === "cancelled") && (
          <Button look="primary" icon="play" onClick={() => studyRuns.start()}>
            {runs.known > 0 ? "Go on" : "Start"}
          </Button>
        )}
      </div>
      {phase === "refused" && (
        <p className="study-refused" role="alert">
          The study cannot be run as it is:{" "}
          {diagnostics.length === 1 ? "one thing is" : `${diagnostics.length} things are`} wrong, told beside
          what it is about. {diagnostics[0] && `First: ${diagnostics[0].reason}. ${diagnostics[0].hint}`}
        </p>
      )}
      {phase === "failed" && (
        <p className="study-refused" role="alert">
          {sentence} Results up to here are kept. <Button onClick={again}>Open it again</Button>
        </p>
      )}
      {former > 0 && !goes && (
        <p className="note study-former">
          The scenario was edited since. Its {fixed(former, 0)} former results are not shown here: undo the
          edit and they are back at once.
        </p>
      )}
      {kept.fault !== null && <p className="note study-former">{kept.fault}</p>}
    </div>
  );
}

/** What a study asks, before it has been run. */
function askedText(study: StudyDocument, table: StudyTable | null, isFirst: boolean): string {
  const names = (table?.factors ?? []).map(namedWithin);
  const measures = study.measures.map(({ title }) => title);
  if (study.ask.kind !== "sweep" || names.length === 0) return study.title;
  return `${isFirst ? "To begin with: h" : "H"}ow ${listed(measures)} ${measures.length === 1 ? "depends" : "depend"} on ${listed(names)}`;
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** What stands beside the bar of progress. */
function noteOf(state: StudyRunsState): string {
  const { phase, runs, secondsLeft, eventsPerSecond, workers, estimateSeconds, progress, cost, kept } = state;
  const about = (seconds: number | null) => (seconds === null ? "" : `${aboutTime(1000 * seconds)}`);
  switch (phase) {
    case "none":
    case "opening":
      return runs.known > 0 ? "" : "The study is being looked at …";
    case "ready": {
      const left = runs.wanted - runs.known;
      const time = estimateSeconds === null ? "" : `, ${about(estimateSeconds)} on ${workers} workers`;
      if (runs.known > 0)
        return `${fixed(runs.known, 0)} were kept from before; ${fixed(left, 0)} to go${time}`;
      return cost ? `${fixed(cost.runs, 0)} runs${time}. Nothing has been run yet.` : "";
    }
    case "running": {
      const rate =
        eventsPerSecond === null || workers === 0
          ? ""
          : `${fixed(eventsPerSecond / workers / 1e6, 1)} M events/s on each of ${workers} workers`;
      const left = secondsLeft === null ? "" : `${about(secondsLeft)} left`;
      return [progress?.doing, left, rate].filter(Boolean).join(", ");
    }
    case "paused":
      return "Paused. What is done is kept, also when the page is closed.";
    case "cancelled":
      return "Cancelled. What is done is shown, and kept for when it goes on.";
    case "done": {
      const failed = runs.failed > 0 ? `, ${fixed(runs.failed, 0)} gave no result` : "";
      const before = runs.kept > 0 ? `, ${fixed(runs.kept, 0)} of them kept from before` : "";
      return `Done${before}${failed}. This browser keeps ${bytesText(kept.bytes)} of results.`;
    }
    case "refused":
    case "failed":
      return "";
  }
}
