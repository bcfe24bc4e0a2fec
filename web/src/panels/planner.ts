import { useStore } from "zustand";
import { Planner, type PlanState } from "../engine/plan/planner.ts";
import type { Session } from "../engine/run/session.ts";
import { useSession } from "./context.tsx";

const planners = new WeakMap<Session, Planner>();

/** The planner beside a session: one, which keeps what it knows while another view is shown. */
function plannerOf(session: Session): Planner {
  const known = planners.get(session) ?? new Planner(session.traces);
  planners.set(session, known);
  return known;
}

export const usePlanner = (): Planner => plannerOf(useSession());

export const usePlan = <T>(select: (plan: PlanState) => T): T => useStore(usePlanner().store, select);
