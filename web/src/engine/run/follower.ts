import type { RunState } from "./runState.ts";
import type { Session } from "./session.ts";

/** Half of the engine's grain of time, one picosecond, in microseconds. */
const GRAIN_US = 5e-7;

/**
 * Keeps a run in step with another: it is brought to wherever the leading one stands, ahead by simulating, back from the
 * nearest state that its engine has kept. Of several instants on the way the latest counts. Returns the way to stop.
 */
export function follow(session: Session, lead: Session): () => void {
  let target: number | null = null;
  const isThere = ({ nowUs, phase }: RunState, us: number) =>
    Math.abs(nowUs - us) <= GRAIN_US || (phase === "ended" && us > nowUs);
  const sync = () => {
    const own = session.run.getState();
    if (own.phase === "loading" || own.phase === "stopped") return;
    if (target !== null && !isThere(own, target)) return;
    target = null;
    const wanted = Math.min(lead.run.getState().nowUs, own.durationUs);
    if (isThere(own, wanted)) return;
    target = wanted;
    session.seek(wanted);
  };
  const stops = [session.run.subscribe(sync), lead.run.subscribe(sync)];
  sync();
  return () => {
    for (const stop of stops) stop();
  };
}
