import { useEffect } from "react";
import { tinykeys } from "tinykeys";
import type { Session } from "../../engine/run/session.ts";
import { ACTIONS, type Action } from "../../workbench/actions.ts";
import { pageStore } from "../../workbench/pageStore.ts";
import { reaches } from "../../workbench/reaches.ts";
import type { Views } from "../../workbench/view/views.ts";

/** The run that a key acts on: in a view with its own run that one; null if the key has no effect. */
export function actsOn(
  { anyRun = false, ofScenario = false, bar = false, everywhere = false, id }: Action,
  session: Session,
  views: Views,
): Session | null {
  const { current } = views.store.getState();
  if (current.ownsKeys?.(views.stateOf(current))) return null;
  if (!current.isWithoutRun) return session;
  if (anyRun) return pageStore.getState().ownRun;
  if (ofScenario && !current.isOfScenario) return null;
  return bar || everywhere || id === "shortcuts" ? session : null;
}

/** Listens to the keys of all actions while there is something to act on. */
export function useShortcuts(session: Session, views: Views, active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    const bindings = ACTIONS.flatMap((item) =>
      item.keys.map((keys) => [
        keys,
        (event: KeyboardEvent) => {
          if (!reaches(item, event.target)) return;
          const run = actsOn(item, session, views);
          if (!run) return;
          event.preventDefault();
          item.perform(run, views);
        },
      ]),
    );
    return tinykeys(window, Object.fromEntries(bindings));
  }, [session, views, active]);
}
