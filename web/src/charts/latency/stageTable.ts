import type { StageEntry } from "../../generated/answers.d.ts";
import catalogue from "../../generated/catalogue.json";
import { type Operation, type Statistic, stageTimes } from "../../run/stages.ts";
import type { RunView } from "../../run/types.ts";
import { fixed, formatPercent, NOT_APPLICABLE } from "../drawing/format.ts";
import type { Stage } from "../types.ts";

const ENTRIES = catalogue.stages as readonly StageEntry[];

/** What a stage is called. */
export const stageTitle = (id: string): string => ENTRIES.find((entry) => entry.id === id)?.title ?? id;

/** Stages between the submission queue and the completion. */
const IN_DEVICE = ["submissionQueue", "deviceQueue", "garbageCollection", "channel", "media"];

/** A matrix of stages: rows, and the total of each class, their exact sum. */
export interface StageTable {
  readonly stages: readonly Stage[];
  readonly totalsUs: readonly number[];
}

interface Choice {
  readonly operation: Operation;
  readonly statistic: Statistic;
  /** Only what happens in the device. */
  readonly inDevice?: boolean;
}

/** Stages of a run by class: those in which any request has spent time; while nothing is known, all that there may be. */
export function stageTable(run: RunView, { operation, statistic, inDevice = false }: Choice): StageTable {
  const times = run.classes.map((_, i) => stageTimes(run, i, operation, statistic));
  const hasDevices = run.layout.devices.length > 0;
  const isUnknown = times.every((of) => !of || of.count === 0);
  const rows = run.layout.stages.flatMap((id, at) => {
    const entry = ENTRIES.find((item) => item.id === id);
    if (!entry || (inDevice && !IN_DEVICE.includes(id)) || (entry.ofDevice && !hasDevices)) return [];
    const valuesUs = times.map((of) => of?.us[at] ?? Number.NaN);
    const isPassed = valuesUs.some((us) => us > 0);
    return isPassed || isUnknown ? [{ entry, valuesUs }] : [];
  });
  // A class none of whose requests come this way has no times here: that is something else than none at all.
  const totalsUs = run.classes.map(
    (_, i) => sum(rows.map(({ valuesUs }) => valuesUs[i] as number)) || Number.NaN,
  );
  const stages = rows.map(({ entry: { id, title, sentence, bound }, valuesUs: all }) => {
    const valuesUs = all.map((us, i) => (Number.isNaN(totalsUs[i]) ? Number.NaN : us));
    const share = run.classes.map((_, i) => (valuesUs[i] as number) / (totalsUs[i] as number));
    const isLongest = run.classes.map(
      (_, i) =>
        (valuesUs[i] as number) > 0 &&
        rows.every((other) => !((other.valuesUs[i] as number) > (valuesUs[i] as number))),
    );
    return {
      id,
      name: title,
      valuesUs,
      hint: `${sentence} ${bound} ${nowText(run, share, isLongest)}`,
      isLongest,
    };
  });
  return { stages, totalsUs };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** "Now 34 % of the time of High, 12 % of Low; the longest stage of High." */
function nowText(run: RunView, share: readonly number[], isLongest: readonly boolean[]): string {
  const known = run.classes.flatMap(({ name }, i) => {
    const own = share[i] as number;
    return Number.isFinite(own) ? [`${formatPercent(own)} of ${name}`] : [];
  });
  if (known.length === 0) return "";
  const longest = run.classes.flatMap(({ name }, i) => (isLongest[i] ? [name] : []));
  return `Now ${known.join(", ")}${longest.length > 0 ? `; the longest stage of ${longest.join(", ")}` : ""}.`;
}

/** Whether any class has requests of an operation. */
export const hasOperation = (run: RunView, operation: Operation): boolean =>
  run.classes.some((_, i) => (stageTimes(run, i, operation, "mean")?.count ?? 0) > 0);

/** The longest stage of each class, in a sentence. */
export function stageSentence(run: RunView, { stages, totalsUs }: StageTable): string {
  const parts = run.classes.map(({ name }, i) => {
    const total = totalsUs[i] as number;
    const longest = stages.find(({ isLongest }) => isLongest?.[i]);
    if (!longest || !(total > 0)) return `${name}: ${NOT_APPLICABLE}`;
    return `${name}: ${fixed(total, 0)} µs, ${formatPercent((longest.valuesUs[i] as number) / total)} of it ${longest.name.toLowerCase()}`;
  });
  return parts.join("; ");
}

/**
 * Numbers rounded to a unit such that they add up to their rounded sum: those that rounding wrongs most give way. Each stands
 * within one unit of what it is.
 */
export function roundedToSum(values: readonly number[], unit: number): number[] {
  if (!values.every(Number.isFinite)) return [...values];
  const floors = values.map((value) => Math.floor(value / unit));
  const left = Math.round(sum(values) / unit) - sum(floors);
  const byRemainder = values
    .map((value, i) => ({ i, remainder: value / unit - (floors[i] as number) }))
    .sort((one, other) => other.remainder - one.remainder);
  for (const { i } of byRemainder.slice(0, left)) floors[i] = (floors[i] as number) + 1;
  return floors.map((count) => count * unit);
}
