import type { Session } from "../engine/run/session.ts";
import { type Step, stepOf } from "../scenario/store.ts";
import { openAddress } from "../workbench/view/address.ts";
import { fragmentFor, restoreView, type Told, toldOf, turnsPage } from "../workbench/view/shortLinks.ts";
import type { Views } from "../workbench/view/views.ts";

/** Browsers refuse more than about two hundred changes of the address in half a minute. */
const PERIOD_MS = 250;

/**
 * Keeps the scenario with its timeline and seed and the state of the view in the address bar, and the openings in the
 * browser's history: every entry holds what was opened as it was left, so Back and Forward bring it back with its edits.
 * Changes of the view alone are no entries, save where a view turns a page that has a short link. An address that is no longer
 * `opened`, the fragment that the page began with, is opened.
 */
export function keepAddress(session: Session, views: Views, opened = location.hash): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let written: { readonly step: Step; readonly view: Told } | null = null;
  /** The browser has moved to the entry of what the page is about to show. */
  let arriving = false;
  let followed = 0;
  /** How the scenario that is on the page was shown last. Another one is shown anew before it is told of here. */
  let shown = toldOf(views);

  const write = (step: Step, view: Told): void => {
    clearTimeout(timer);
    timer = undefined;
    if (step === written?.step && view.json === written.view.json && view.short === written.view.short)
      return;
    const opens =
      written !== null && !arriving && (step.visit !== written.step.visit || turnsPage(written.view, view));
    written = { step, view };
    const entry = [{ visit: step.visit }, "", fragmentFor(step.scenario, view)] as const;
    try {
      if (opens) history.pushState(...entry);
      else history.replaceState(...entry);
    } catch {
      // A browser that refuses so long an address, or so many, still shows the run.
    }
  };
  const present = () => stepOf(session.store.getState());
  const writeSoon = () => {
    timer ??= setTimeout(() => write(present(), toldOf(views)), PERIOD_MS);
  };

  const unsubscribe = session.store.subscribe((state, before) => {
    const [step, last] = [stepOf(state), stepOf(before)];
    if (step.visit === last.visit) {
      writeSoon();
      return;
    }
    if (!arriving && written?.step.visit === last.visit) write(last, shown);
    shown = toldOf(views);
    write(step, shown);
  });
  const unsubscribeViews = views.store.subscribe(() => {
    if (!written) return;
    if (written.step.visit === present().visit) shown = toldOf(views);
    if (turnsPage(written.view, shown)) write(present(), shown);
    else writeSoon();
  });

  /** Opens the link of the entry that the browser stands on. */
  const follow = async (leave: () => void) => {
    const mine = ++followed;
    arriving = true;
    const outcome = await openAddress(session, views, location.hash);
    if (mine !== followed) return;
    arriving = false;
    if (outcome === "refused" && session.run.getState().begun) leave();
  };
  /** Has the entry that the browser stands on hold what is on the page. */
  const stay = () => {
    written = null;
    write(present(), toldOf(views));
  };
  const moved = ({ state }: PopStateEvent) => {
    const visit = visitOf(state);
    if (visit === null) return;
    const { hash } = location;
    arriving = true;
    const known = session.revisit(visit);
    arriving = false;
    if (known) {
      written = null;
      restoreView(views, hash);
      write(present(), toldOf(views));
    } else void follow(stay);
  };
  /** A link that the person put into the address bar is an entry without a visit. */
  const linked = () => {
    if (visitOf(history.state) === null) void follow(() => history.back());
  };

  if (location.hash !== opened) void follow(stay);
  else if (session.run.getState().begun) write(present(), toldOf(views));
  addEventListener("popstate", moved);
  addEventListener("hashchange", linked);
  return () => {
    clearTimeout(timer);
    unsubscribe();
    unsubscribeViews();
    removeEventListener("popstate", moved);
    removeEventListener("hashchange", linked);
  };
}

function visitOf(state: unknown): string | null {
  const visit = (state as { readonly visit?: unknown } | null)?.visit;
  return typeof visit === "string" ? visit : null;
}
