import type { Session } from "../engine/session.ts";
import { type Decoded, decodeFragment, encodeFragment } from "../scenario/codec.ts";
import { documentOf } from "../scenario/store.ts";
import type { Scenario } from "../scenario/types.ts";

/** Browsers refuse more than about two hundred changes of the address in half a minute. */
const PERIOD_MS = 250;

/** Keeps the scenario, its timeline and seed in the address bar. */
export function keepAddress(session: Session): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let written: Scenario | null = null;
  const write = () => {
    timer = undefined;
    const document = documentOf(session.scenario.getState());
    if (document === written) return;
    written = document;
    history.replaceState(null, "", encodeFragment(document));
  };
  const unsubscribe = session.scenario.subscribe((state) => {
    if (documentOf(state) !== written) timer ??= setTimeout(write, PERIOD_MS);
  });
  write();
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}

/** Calls back when the person puts another link into the address bar. */
export function watchAddress(onLink: (link: Decoded) => void): () => void {
  const changed = () => onLink(decodeFragment(location.hash));
  addEventListener("hashchange", changed);
  return () => removeEventListener("hashchange", changed);
}

/** The whole link to a scenario. */
export const linkTo = (document: Scenario): string =>
  `${location.origin}${location.pathname}${encodeFragment(document)}`;
