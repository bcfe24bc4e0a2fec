import type { Action } from "./actions.ts";

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
