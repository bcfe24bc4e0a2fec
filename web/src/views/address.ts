import type { Session } from "../engine/session.ts";
import { encodeFragment } from "../scenario/codec.ts";
import { type Step, stepOf } from "../scenario/store.ts";
import type { Scenario } from "../scenario/types.ts";

/** Browsers refuse more than about two hundred changes of the address in half a minute. */
const PERIOD_MS = 250;

/**
 * Keeps the scenario, its timeline and seed in the address bar, and the openings in the browser's history: every entry
 * holds what was opened as it was left, so Back and Forward bring it back with its edits.
 */
export function keepAddress(session: Session): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let written: Step | null = null;
  /** The browser has moved to the entry of what the page is about to show. */
  let arriving = false;
  let followed = 0;

  const write = (step: Step): void => {
    clearTimeout(timer);
    timer = undefined;
    if (step === written) return;
    const opens = written !== null && step.visit !== written.visit && !arriving;
    written = step;
    const entry = [{ visit: step.visit }, "", encodeFragment(step.scenario)] as const;
    try {
      if (opens) history.pushState(...entry);
      else history.replaceState(...entry);
    } catch {
      // A browser that refuses so long an address, or so many, still shows the run.
    }
  };
  const present = () => stepOf(session.store.getState());

  const unsubscribe = session.store.subscribe((state, before) => {
    const [step, last] = [stepOf(state), stepOf(before)];
    if (step.visit === last.visit) {
      timer ??= setTimeout(() => write(present()), PERIOD_MS);
      return;
    }
    if (!arriving && written?.visit === last.visit) write(last);
    write(step);
  });

  /** Opens the link of the entry that the browser stands on. */
  const follow = async (leave: () => void) => {
    const mine = ++followed;
    arriving = true;
    const outcome = await session.openFragment(location.hash);
    if (mine !== followed) return;
    arriving = false;
    if (outcome === "refused" && session.run.getState().begun) leave();
  };
  const moved = ({ state }: PopStateEvent) => {
    const visit = visitOf(state);
    if (visit === null) return;
    arriving = true;
    const known = session.revisit(visit);
    arriving = false;
    if (known) write(present());
    else
      void follow(() => {
        written = null;
        write(present());
      });
  };
  /** A link that the person put into the address bar is an entry without a visit. */
  const linked = () => {
    if (visitOf(history.state) === null) void follow(() => history.back());
  };

  if (session.run.getState().begun) write(present());
  addEventListener("popstate", moved);
  addEventListener("hashchange", linked);
  return () => {
    clearTimeout(timer);
    unsubscribe();
    removeEventListener("popstate", moved);
    removeEventListener("hashchange", linked);
  };
}

function visitOf(state: unknown): string | null {
  const visit = (state as { readonly visit?: unknown } | null)?.visit;
  return typeof visit === "string" ? visit : null;
}

/** The whole link to a scenario. */
export const linkTo = (scenario: Scenario): string =>
  `${location.origin}${location.pathname}${encodeFragment(scenario)}`;
