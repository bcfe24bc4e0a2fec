import { getPath } from "./path.ts";
import { fieldAt, valueAt } from "./schema.ts";
import type { Scenario } from "./types.ts";

/** Something that a scenario offers to try, as a switch. */
export interface Try {
  readonly label: string;
  /** Its values are in force. */
  readonly on: boolean;
  /** What turns it over: its values, or those that the scenario was opened with. */
  readonly changes: readonly { readonly path: string; readonly value: unknown }[];
}

/** What the scenario that is in force offers to try; `origin` is the scenario as it was opened. */
export function triesOf(shown: Scenario, origin: Scenario): readonly Try[] {
  const initial = (path: string) => fieldAt(path, shown).default ?? null;
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  return (shown.story?.tries ?? []).map(({ label, changes }) => {
    const tried = changes.map(({ path, value }) => ({ path, value: value ?? initial(path) }));
    const on = tried.every(({ path, value }) => isSame(valueAt(shown, path) ?? null, value));
    const back = tried.map(({ path, value }) => {
      const own = getPath(origin, path) ?? initial(path);
      // A link to what was tried is opened with these very values.
      return { path, value: isSame(own, value) ? initial(path) : own };
    });
    return { label, on, changes: on ? back : tried };
  });
}
