import { valueAt } from "./schema.ts";
import type { Scenario, TrafficClass } from "./types.ts";

export type DcqcnSet = NonNullable<NonNullable<TrafficClass["dcqcn"]>["set"]>;

/**
 * What each published set gives the parameters of DCQCN, by field, as the engine says; null for a byte counter that is not
 * used. The page shows it in fields that are left empty.
 */
export type DcqcnSets = Readonly<Record<DcqcnSet, Readonly<Record<string, number | boolean | null>>>>;

/** The set in force at a path. */
const setOf = (scenario: unknown, path: string): DcqcnSet => valueAt(scenario, path) as DcqcnSet;

/** Recovery timers after which the virtual flow of DIRS is reset, where the scenario does not say when. */
const RESET_AFTER = 5;

/** What holds while a field of a class's object is empty: null for nothing, undefined where it cannot be told. */
export function emptyValue(
  scenario: Scenario,
  path: string,
  sets: DcqcnSets | null,
  baseRttUs: number | undefined,
): number | boolean | null | undefined {
  const [, item, object, name = ""] = /^(classes\[\d+\])\.(\w+)\.(\w+)$/.exec(path) ?? [];
  const set = sets?.[setOf(scenario, `${item}.dcqcn.set`)];
  if (object === "dcqcn") return set?.[name];
  if (object === "timely") return name === "leastRttUs" ? baseRttUs : undefined;
  const timer = valueAt(scenario, `${item}.dcqcn.increaseTimerUs`) ?? set?.increaseTimerUs;
  const recovery = valueAt(scenario, `${item}.dirs.recoveryUs`) ?? timer;
  if (typeof timer !== "number" || typeof recovery !== "number") return undefined;
  if (name === "recoveryUs") return timer;
  return name === "resetUs" ? RESET_AFTER * recovery : undefined;
}
