import type { Opening, Session } from "../engine/session.ts";
import type { Views } from "./views.ts";

/** Opens what the address holds: a link, or the first scenario; then the view is as the link says. */
export const openAddress = (session: Session, views: Views, fragment: string): Promise<Opening> =>
  session.openFragment(fragment, (view) => views.restore(view));

/** Opens a link, as `openAddress` does. */
export const openLink = (session: Session, views: Views, fragment: string): Promise<Opening> =>
  session.open({ kind: "link", fragment }, (view) => views.restore(view));

/**
 * Keeps the address as `keepAddress` does, from when its script has come: it packs links, which no view waits for. What the
 * browser has gone to by then is opened.
 */
export function keepAddressSoon(session: Session, views: Views): () => void {
  const { hash } = location;
  let stop = () => {};
  let over = false;
  void import("./keepAddress.ts").then(({ keepAddress }) => {
    if (!over) stop = keepAddress(session, views, hash);
  });
  return () => {
    over = true;
    stop();
  };
}
