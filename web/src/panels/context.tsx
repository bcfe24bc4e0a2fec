import { createContext, type ReactNode, useContext, useMemo } from "react";
import { useStore } from "zustand";
import type { RunState } from "../engine/run/runState.ts";
import type { Session } from "../engine/run/session.ts";
import type { Explanation } from "../scenario/explanation.ts";
import { valueAt } from "../scenario/schema.ts";
import { scenarioOf } from "../scenario/store.ts";
import { effectiveScenario } from "../scenario/timeline.ts";
import type { Scenario } from "../scenario/types.ts";
import type { PacketScale } from "../scenario/units.ts";

const SessionContext = createContext<Session | null>(null);
const EffectiveScenarioContext = createContext<Scenario | null>(null);

/** Gives a session to everything inside, and the scenario as it is in force. */
export function SessionProvider({
  session,
  children,
}: {
  readonly session: Session;
  readonly children: ReactNode;
}) {
  const scenario = useStore(session.store, scenarioOf);
  const changesInForce = useStore(session.run, (run) => run.changesInForce);
  const pending = useStore(session.run, (run) => run.pending);
  const shown = useMemo(
    () => effectiveScenario(scenario, changesInForce, pending),
    [scenario, changesInForce, pending],
  );
  return (
    <SessionContext value={session}>
      <EffectiveScenarioContext value={shown}>{children}</EffectiveScenarioContext>
    </SessionContext>
  );
}

function required<T>(value: T | null): T {
  if (value === null) throw new Error("outside of a SessionProvider");
  return value;
}

export const useSession = (): Session => required(useContext(SessionContext));

/** The scenario with the recorded changes up to now: what the controls show. */
export const useEffectiveScenario = (): Scenario => required(useContext(EffectiveScenarioContext));

/** The scenario itself, as it is shared. */
export const useScenario = (): Scenario => useStore(useSession().store, scenarioOf);

export const useRun = <T,>(select: (run: RunState) => T): T => useStore(useSession().run, select);

/** What the engine said last of the parameters in force. */
export const useExplanation = (): Explanation => useRun((run) => run.explanation);

/** What turns packets into bytes and time in a scenario. */
export function packetScale(scenario: Scenario): PacketScale {
  const number = (path: string) => Number(valueAt(scenario, path));
  return { packetBytes: number("host.mtuBytes"), linkGbps: number("topology.linkGbps") };
}
