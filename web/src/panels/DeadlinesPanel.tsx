import { formatDuration } from "../charts/drawing/format.ts";
import { DeadlineBars } from "../charts/latency/DeadlineBars.tsx";
import { deadlines, latelyUs } from "../run/deadlines.ts";
import { useRun } from "./context.tsx";

/** Who misses the latency targets, and how often. */
export function DeadlinesPanel() {
  const view = useRun((run) => run.view);
  useRun((run) => run.tick);
  return (
    <section className="panel" aria-labelledby="deadlines-title">
      <header>
        <h2 id="deadlines-title">
          Deadlines missed <span className="note">share of requests beyond the target</span>
        </h2>
      </header>
      {view && (
        <DeadlineBars
          classes={view.classes}
          deadlines={deadlines(view)}
          lately={`last ${formatDuration(latelyUs(view))}`}
        />
      )}
    </section>
  );
}
