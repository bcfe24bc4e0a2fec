import { fixed, formatMilliseconds } from "../charts/drawing/format.ts";
import { ClassMarker } from "../charts/frame/ClassMarker.tsx";
import { outOfReach } from "../run/bottleneck.ts";
import type { ConvergenceEvent } from "../run/types.ts";
import { Term } from "../ui/Explained.tsx";
import { useMedia } from "../ui/media.ts";
import { useRun } from "./context.tsx";
import { Disclosure } from "./Disclosure.tsx";
import "./ConvergencePanel.css";

/** Events of a class that the list names; those before them are counted. */
const NAMED = 4;

/** When each class converged, left its band and returned, as the engine counts it. */
export function ConvergencePanel() {
  const view = useRun((run) => run.view);
  useRun((run) => run.tick);
  const tall = useMedia("(height >= 1100px) and (width >= 900px)");
  if (!view?.convergence.some((events) => events.length > 0) || outOfReach(view) !== null) return null;
  return (
    <section className="panel convergence" aria-label="Convergence">
      <Disclosure title="Convergence of each class" unfolded={tall}>
        <dl>
          {view.classes.map(({ name, kindIndex }, index) => (
            <div key={name}>
              <dt>
                <ClassMarker kindIndex={kindIndex} /> {name}
              </dt>
              <dd>{convergenceText(view.convergence[index] ?? [])}</dd>
            </div>
          ))}
        </dl>
        <div className="note">
          Each <Term id="rtt">RTT</Term> count runs from the event before, the first from the first packet.
        </div>
      </Disclosure>
    </section>
  );
}

const VERBS = { converged: "converged", left: "left the band", returned: "returned" } as const;

/** "converged 2.98 ms (97 RTT), left the band 5.10 ms (85 RTT)"; the last events where there are many. */
export function convergenceText(events: readonly ConvergenceEvent[]): string {
  if (events.length === 0) return "not yet";
  const named = events.slice(-NAMED);
  const before = events.length - named.length;
  const texts = named.map(
    ({ kind, atUs, rtts }) => `${VERBS[kind]} ${formatMilliseconds(atUs, 2)} ms (${fixed(rtts, 0)} RTT)`,
  );
  return `${before > 0 ? `${before === 1 ? "1 event" : `${before} events`}, then ` : ""}${texts.join(", ")}`;
}
