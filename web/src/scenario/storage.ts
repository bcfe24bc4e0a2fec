import { type Arbitration, arbitration } from "./catalogue.ts";
import type { Explanation } from "./explanation.ts";
import { fieldAt, valueAt } from "./schema.ts";
import type { Scenario } from "./types.ts";

/** Levels of submission queues, the most urgent first. */
const LEVELS = ["urgent", "high", "medium", "low"] as const;
export type QueueLevelName = (typeof LEVELS)[number];

/** A level of submission queues with the classes whose commands go there. */
export interface LevelOfClasses {
  readonly level: QueueLevelName;
  readonly title: string;
  /** By number; none where storage does not look at classes. */
  readonly classes: readonly number[];
  /** Commands in each round of weighted round robin; null where arbitration weighs nothing. */
  readonly weight: number | null;
}

/** The NVMe priority of a class in force. */
export function priorityOf(scenario: Scenario, explanation: Explanation, classIndex: number): QueueLevelName {
  const path = `classes[${classIndex}].nvmePriority`;
  const value = valueAt(scenario, path) ?? explanation.of(path)?.value;
  return LEVELS.find((level) => level === value) ?? "medium";
}

const SIZES: Readonly<Record<QueueLevelName, string>> = {
  urgent: "Urgent",
  high: "Up to 16 KiB",
  medium: "Up to 128 KiB",
  low: "Larger",
};

const INVERTED: Readonly<Record<QueueLevelName, QueueLevelName>> = {
  urgent: "urgent",
  high: "low",
  medium: "medium",
  low: "high",
};

/** What the arbitration of a scenario looks at. */
export const arbitrationOf = (scenario: Scenario): Arbitration =>
  arbitration(valueAt(scenario, "storage.nvme.arbitration"));

/** The levels that commands have, as the treatment of classes sorts them. */
export function queueLevels(scenario: Scenario, explanation: Explanation): LevelOfClasses[] {
  const treatment = valueAt(scenario, "storage.treatment");
  const { weighs } = arbitrationOf(scenario);
  const weight = (level: QueueLevelName) =>
    weighs && level !== "urgent" ? Number(valueAt(scenario, `storage.nvme.${level}Weight`)) : null;
  const all = scenario.classes.map((_, i) => i);
  if (treatment === "agnostic")
    return [{ level: "medium", title: "All classes", classes: all, weight: weight("medium") }];
  if (treatment === "by-size")
    return (["high", "medium", "low"] as const).map((level) => ({
      level,
      title: SIZES[level],
      classes: [],
      weight: weight(level),
    }));
  const levelOf = (index: number) => {
    const own = priorityOf(scenario, explanation, index);
    return treatment === "inverted" ? INVERTED[own] : own;
  };
  const options = fieldAt("classes[0].nvmePriority", scenario).options ?? [];
  return LEVELS.flatMap((level) => {
    const classes = all.filter((index) => levelOf(index) === level);
    const title = options.find(({ value }) => value === level)?.title ?? level;
    return classes.length > 0 ? [{ level, title, classes, weight: weight(level) }] : [];
  });
}

/** What the weights aim at for each class: those of a level share its weight. Null where they aim at nothing for classes. */
export function classWeights(scenario: Scenario, levels: readonly LevelOfClasses[]): number[] | null {
  const treatment = valueAt(scenario, "storage.treatment");
  if (treatment === "agnostic" || treatment === "by-size") return null;
  const weights = scenario.classes.map((_, index) => {
    const own = levels.find(({ classes }) => classes.includes(index));
    return own?.weight ? own.weight / own.classes.length : Number.NaN;
  });
  return weights.every(Number.isFinite) ? weights : null;
}
