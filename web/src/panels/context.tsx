import { createContext, type ReactNode, useContext, useMemo } from "react";
import { useStore } from "zustand";
import type { RunState, Session } from "../engine/session.ts";
import { shownDocument } from "../engine/session.ts";
import { documentOf } from "../scenario/store.ts";
import type { Scenario } from "../scenario/types.ts";
import type { PacketScale } from "../scenario/units.ts";

const SessionContext = createContext<Session | null>(null);
const ShownContext = createContext<Scenario | null>(null);

/** Gives a session to everything inside, and the document as it is in force. */
export function SessionProvider({
  session,
  children,
}: {
  readonly session: Session;
  readonly children: ReactNode;
}) {
  const document = useStore(session.scenario, documentOf);
  const changesInForce = useStore(session.run, (run) => run.changesInForce);
  const pending = useStore(session.run, (run) => run.pending);
  const shown = useMemo(
    () => shownDocument(document, changesInForce, pending),
    [document, changesInForce, pending],
  );
  return (
    <SessionContext value={session}>
      <ShownContext value={shown}>{children}</ShownContext>
    </SessionContext>
  );
}

function required<T>(value: T | null): T {
  if (value === null) throw new Error("outside of a SessionProvider");
  return value;
}

export const useSession = (): Session => required(useContext(SessionContext));

/** The document with the recorded changes up to now: what the controls show. */
export const useShown = (): Scenario => required(useContext(ShownContext));

/** The document itself, as it is shared. */
export const useDocument = (): Scenario => useStore(useSession().scenario, documentOf);

export const useRun = <T,>(select: (run: RunState) => T): T => useStore(useSession().run, select);

/** What turns packets into bytes and time in a scenario. */
export function packetScale(document: Scenario): PacketScale {
  return { packetBytes: document.host?.mtuBytes ?? 1500, linkGbps: document.topology.linkGbps ?? 100 };
}
