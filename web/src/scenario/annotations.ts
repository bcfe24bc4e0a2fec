import { DOCUMENT } from "./catalogue.ts";
import { differing } from "./sections.ts";
import type { Scenario } from "./types.ts";

/** The fields that tell readers something and on which no result depends: name, description, story and notes. */
export const ANNOTATIONS: readonly string[] = (DOCUMENT.fields ?? [])
  .filter(({ annotation }) => annotation)
  .map(({ name }) => name);

type Fields = Readonly<Record<string, unknown>>;

/** A scenario with what another one tells its readers. */
export function annotatedAs(scenario: Scenario, other: Scenario): Scenario {
  const isKept = ([name]: [string, unknown]) => !ANNOTATIONS.includes(name);
  const told = Object.entries(other as Fields).filter((entry) => !isKept(entry));
  return Object.fromEntries([...Object.entries(scenario as Fields).filter(isKept), ...told]) as Scenario;
}

/** Whether two scenarios differ in nothing but what they tell their readers: the run of one is that of the other. */
export const sameButAnnotations = (one: Scenario, other: Scenario): boolean =>
  differing(one, other).every((name) => ANNOTATIONS.includes(name));
