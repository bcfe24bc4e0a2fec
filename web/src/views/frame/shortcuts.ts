import { useEffect } from "react";
import { tinykeys } from "tinykeys";
import type { Session } from "../../engine/session.ts";
import type { Views } from "../../workbench/view/views.ts";
import { ACTIONS, type Action, pageStore } from "../actions.ts";

/** Elements that use plain keys themselves. */
const OWN_KEYS =
  "input:not([type=range], [type=radio], [type=checkbox]), textarea, select, [contenteditable], [role=menu], [role=menu] *";
/** Fields whose edits are steps of the scenario. */
const NO_UNDO_OF_ITS_OWN = "select, [inputmode=decimal]";
/** Elements that Space presses. */
const PRESSABLE = "button, summary, a[href], [type=radio], [type=checkbox]";

/** Whether a key pressed at an element is for the page. */
export function reaches(action: Pick<Action, "id" | "everywhere">, target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return true;
  if (document.querySelector(".dialog") && action.id !== "shortcuts" && action.id !== "palette") return false;
  if (action.id === "palette") return true;
  if (action.everywhere) return !target.matches(OWN_KEYS) || target.matches(NO_UNDO_OF_ITS_OWN);
  if (target.matches(OWN_KEYS)) return false;
  return action.id !== "toggle" || !target.matches(PRESSABLE);
}

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
