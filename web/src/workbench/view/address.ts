import type { Session } from "../../engine/run/session.ts";
import type { Opening } from "../../engine/run/travel.ts";
import { stepOf } from "../../scenario/store.ts";
import { readShort } from "./shortLinks.ts";
import type { Views } from "./views.ts";

/** Shows every scenario that comes to the page, whichever way, as its story speaks of it. */
export const showAsOpened = (session: Session, views: Views): (() => void) => {
  views.begin(session.scenario);
  return session.store.subscribe((state, before) => {
    const [step, last] = [stepOf(state), stepOf(before)];
    if (step.visit !== last.visit) views.begin(step.origin);
  });
};

/** Has links say where the run waits. One that runs, or has ended, is opened as any other. */
export const tellWhereItWaits = (session: Session, views: Views): (() => void) =>
  session.run.subscribe(({ phase, nowUs, pausedInBackground }) =>
    views.standAt(phase === "paused" && !pausedInBackground && nowUs > 0 ? nowUs : null),
  );

/** Opens what the address holds: a link, or the first scenario; then the view is as the link says. */
export async function openAddress(session: Session, views: Views, fragment: string): Promise<Opening> {
  const short = readShort(views.all, fragment);
  if (!short) return session.openFragment(fragment, (view) => views.restore(view));
  return session.openFragment("", () => {
    views.open(short.view, short.state);
    return null;
  });
}

/** Opens a link, as `openAddress` does. */
export async function openLink(session: Session, views: Views, fragment: string): Promise<Opening> {
  if (readShort(views.all, fragment)) return openAddress(session, views, fragment);
  return session.open({ kind: "link", fragment }, (view) => views.restore(view));
}
