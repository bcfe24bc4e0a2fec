import { fixed } from "../charts/drawing/format.ts";
import { BarCell, ClassHead } from "../charts/frame/BarRow.tsx";
import { column, figure, samplesUntilNow } from "../run/read.ts";
import type { RunView } from "../run/types.ts";
import { valueAt } from "../scenario/schema.ts";
import { isRateBased, transportOf } from "../scenario/transports.ts";
import { Term } from "../ui/Explained.tsx";
import { useEffectiveScenario, useRun } from "./context.tsx";

/** Sum of a column of the samples so far. */
function total(run: RunView, name: string): number {
  const values = column(run, name);
  let sum = 0;
  for (let s = 0; values && s < samplesUntilNow(run); s++) sum += values[s] || 0;
  return sum;
}

/** What RDMA senders were told of congestion and how much of it came too late; and the pauses of switches. */
export function NotificationsPanel() {
  const view = useRun((run) => run.view);
  const shown = useEffectiveScenario();
  useRun((run) => run.tick);
  const pauses = valueAt(shown, "switch.buffering") === "pfc";
  return (
    <section className="panel" aria-labelledby="notifications-title">
      <header>
        <h2 id="notifications-title">
          <Term id="cnp">Congestion notifications</Term>{" "}
          <span className="note">so far; late: after the last packet was sent</span>
        </h2>
      </header>
      {view && (
        <table className="stage-matrix deadline-bars">
          <thead>
            <tr>
              <td />
              <th scope="col">received</th>
              <th scope="col">late, share of them</th>
            </tr>
          </thead>
          <tbody>
            {view.classes.map((item, i) => {
              if (!isRateBased(transportOf(shown, i))) return null;
              const { name, kindIndex } = item;
              return (
                <tr key={name}>
                  <ClassHead name={name} kindIndex={kindIndex} />
                  <td>{fixed(figure(view, i, "notifications"), 0)}</td>
                  <BarCell kindIndex={kindIndex} share={figure(view, i, "lateFraction")} />
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {view && pauses && (
        <div className="note">
          <Term id="pfc">Pause frames</Term> sent by switches: {fixed(total(view, "pauseFrames"), 0)}
        </div>
      )}
    </section>
  );
}
