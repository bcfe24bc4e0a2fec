import type { FieldChange } from "../generated/answers.d.ts";
import { differencesOf } from "./differences.ts";
import { getPath, setPaths } from "./path.ts";
import { fieldAt, valueAt } from "./schema.ts";
import type { Scenario } from "./types.ts";

/** Something that a scenario offers to try, as a switch. */
export interface Try {
  readonly label: string;
  /** Its values are in force. */
  readonly on: boolean;
  /** What turns it over: its values, or those that the scenario was opened with. */
  readonly changes: readonly FieldChange[];
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

/**
 * What stands beside a scenario that nobody has chosen anything for: the first that its story offers to try, or the scenario as it was
 * opened, which is itself where nothing has been changed.
 */
export function besideFirst(shown: Scenario, origin: Scenario): Scenario {
  const first = triesOf(shown, origin).find(({ on }) => !on);
  return first ? { ...setPaths(shown, first.changes), name: first.label } : origin;
}

export type Story = NonNullable<Scenario["story"]>;
export type TryOfStory = NonNullable<Story["tries"]>[number];

/** The scenario with other parts of its story; one that has none begins with them. */
export function withStory(scenario: Scenario, part: Partial<Story>): Scenario {
  const story = { text: "", ...scenario.story, ...part };
  const isKept = ([, value]: [string, unknown]) => !Array.isArray(value) || value.length > 0;
  return { ...scenario, story: Object.fromEntries(Object.entries(story).filter(isKept)) as unknown as Story };
}

export function withoutStory({ story: _, ...scenario }: Scenario): Scenario {
  return scenario;
}

/** What has other values now than when the scenario was opened, as changes that a try can make. */
export const changesSince = (origin: Scenario, shown: Scenario): TryOfStory["changes"] =>
  differencesOf(origin, shown)
    .filter(({ path }) => path !== "timeline")
    .map(({ path, to }) => ({ path, value: to ?? null })) as unknown as TryOfStory["changes"];
