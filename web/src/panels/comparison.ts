import { fixed, formatGbps, formatLatency, formatPercent } from "../charts/drawing/format.ts";
import type { Comparison, Difference as RepeatedDifference } from "../generated/answers.d.ts";
import { outOfReach } from "../run/bottleneck.ts";
import { figure } from "../run/read.ts";
import { presentShare } from "../run/shares.ts";
import type { RunView } from "../run/types.ts";
import type { Difference } from "../scenario/differences.ts";
import { isField } from "../scenario/differences.ts";
import { fieldAt } from "../scenario/schema.ts";
import type { Change, Scenario } from "../scenario/types.ts";
import { describeChange, valueText } from "./changeText.ts";

/** A quantity of a class by which runs are compared. */
export interface Measure {
  readonly id: "throughput" | "share" | "p99" | "missed";
  readonly title: string;
  readonly unit: string;
  /** As it stands in a run. */
  readonly live: (run: RunView, classIndex: number) => number;
  readonly format: (value: number) => string;
  /** The difference of two values: relative, or in points where both are shares. */
  readonly difference: (from: number, to: number) => number;
  readonly formatDifference: (difference: number) => string;
  /** Differences below this are not worth a word. */
  readonly least: number;
  /** Whether it says anything of such runs; of any where this is absent. */
  readonly applies?: (runs: readonly RunView[]) => boolean;
}

const relative = (from: number, to: number): number => (from > 0 ? to / from - 1 : Number.NaN);
const points = (from: number, to: number): number => to - from;

const signed = (value: number, text: string): string => (value > 0 ? `+${text}` : text);
const formatRelative = (difference: number): string =>
  signed(difference, formatPercent(difference).replace("-", "\u2212"));
const formatPoints = (difference: number): string =>
  signed(difference, `${fixed(100 * difference, 1)} points`);

/** A 99th percentile stands on five slower requests at the least. */
const REQUESTS_FOR_P99 = 500;

export const MEASURES: readonly Measure[] = [
  {
    id: "throughput",
    title: "Throughput",
    unit: "Gb/s of payload",
    live: (run, i) => figure(run, i, "carriedGbps"),
    format: formatGbps,
    difference: relative,
    formatDifference: formatRelative,
    least: 0.02,
  },
  {
    id: "share",
    title: "Throughput share",
    unit: "of all payload",
    live: presentShare,
    format: formatPercent,
    difference: points,
    formatDifference: formatPoints,
    least: 0.02,
    // Where the network decides, targets are in Gb/s, and so is what is compared.
    applies: (runs) => runs.some((run) => outOfReach(run) !== null),
  },
  {
    id: "p99",
    title: "p99 latency",
    unit: "µs",
    live: (run, i) =>
      figure(run, i, "requestsCompleted") >= REQUESTS_FOR_P99 ? figure(run, i, "p99Us") : Number.NaN,
    format: formatLatency,
    difference: relative,
    formatDifference: formatRelative,
    least: 0.05,
  },
  {
    id: "missed",
    title: "Deadlines missed",
    unit: "share of requests",
    live: (run, i) => figure(run, i, "missedFraction"),
    format: formatPercent,
    difference: points,
    formatDifference: formatPoints,
    least: 0.01,
  },
];

/** One class in all runs. */
export interface ComparedClass {
  readonly name: string;
  readonly kindIndex: number;
  /** By run, the current one last: means over seeds once some are there. NaN where it has no such class, or nothing yet. */
  readonly values: readonly number[];
  /** Of the current run against the first; NaN while it is not known. */
  readonly difference: number;
  /** Its interval over several seeds, once some are there. */
  readonly interval: RepeatedDifference | null;
}

/**
 * A measure of every class of the current run, in all runs: as they stand, or means over the seeds of a comparison. Empty where no run has
 * values of it.
 */
export function compared(
  measure: Measure,
  runs: readonly RunView[],
  comparison: Comparison | null,
): readonly ComparedClass[] {
  const current = runs.at(-1);
  if (!current || measure.applies?.(runs) === false) return [];
  const rows = current.classes.map(({ name, kindIndex }): ComparedClass => {
    const repeated = comparison?.classes.find((item) => item.name === name)?.measures[measure.id];
    const interval = repeated?.difference ?? null;
    const values = runs.map((run, place) => {
      if (interval) return repeated?.values[place] ?? Number.NaN;
      const i = run.classes.findIndex((item) => item.name === name);
      return i < 0 ? Number.NaN : measure.live(run, i);
    });
    const difference = measure.difference(values[0] ?? Number.NaN, values.at(-1) ?? Number.NaN);
    return { name, kindIndex, values, difference, interval };
  });
  return rows.some(({ values }) => values.some(Number.isFinite)) ? rows : [];
}

/** A difference over several seeds: "+45 % ± 2". */
export function intervalText({ formatDifference }: Measure, { mean, halfWidth }: RepeatedDifference): string {
  const text = formatDifference(mean);
  return halfWidth === null ? text : `${text} ± ${fixed(100 * halfWidth, halfWidth < 0.0995 ? 1 : 0)}`;
}

/** What the comparison comes to, by rule: for each measure the class that differs most, with its interval where seeds were run. */
export function conclusions(
  rows: readonly { readonly measure: Measure; readonly classes: readonly ComparedClass[] }[],
  letter: string,
): readonly string[] {
  const said = rows.flatMap(({ measure, classes }) => {
    const known = classes.filter(({ difference, interval }) => Number.isFinite(interval?.mean ?? difference));
    const size = ({ difference, interval }: ComparedClass) => Math.abs(interval?.mean ?? difference);
    const most = known.toSorted((a, b) => size(b) - size(a))[0];
    return most && size(most) >= measure.least ? [sentence(measure, most, letter)] : [];
  });
  const known = rows.flatMap(({ classes }) =>
    classes.filter(({ difference }) => Number.isFinite(difference)),
  );
  if (said.length > 0 || known.length === 0) return said;
  const areEqual = known.every(({ values }) => values.every((value) => Object.is(value, values[0])));
  return [areEqual ? "The results are identical so far." : "No class differs by more than a few per cent."];
}

function sentence(
  measure: Measure,
  { name, difference, interval, values }: ComparedClass,
  letter: string,
): string {
  const by = interval?.mean ?? difference;
  const span = interval ? spanText(interval) : "";
  const unclear =
    interval && interval.halfWidth !== null && Math.abs(interval.mean) <= interval.halfWidth
      ? " No clear difference yet."
      : "";
  const amount = measure.formatDifference(Math.abs(by)).replace(/^\+/, "");
  const [from, to] = [values[0] ?? Number.NaN, values.at(-1) ?? Number.NaN].map(measure.format);
  switch (measure.id) {
    case "throughput":
      return `In ${letter}, ${name} carries ${amount} ${by > 0 ? "more" : "less"}${span || ` (${to} against ${from} Gb/s)`}.${unclear}`;
    case "share":
      return `In ${letter}, ${name} has ${amount} ${by > 0 ? "more" : "less"} of the throughput${span || ` (${to} against ${from})`}.${unclear}`;
    case "p99":
      return `In ${letter}, the p99 latency of ${name} is ${amount} ${by > 0 ? "longer" : "shorter"}${span}.${unclear}`;
    case "missed":
      return `In ${letter}, ${name} misses ${amount} ${by > 0 ? "more" : "fewer"} of its deadlines${span}.${unclear}`;
  }
}

/** ", 95 % interval 11–19, 20 seeds". */
function spanText({ mean, halfWidth, count }: RepeatedDifference): string {
  if (halfWidth === null) return "";
  const sign = mean < 0 ? -1 : 1;
  const ends = [sign * mean - halfWidth, sign * mean + halfWidth].map((end) =>
    fixed(100 * end, halfWidth < 0.0095 ? 1 : 0),
  );
  return `, 95 % interval ${ends.join(" to ")}, ${count} seeds`;
}

/** A difference of two scenarios in words. */
export interface SaidDifference {
  readonly what: string;
  readonly from: string;
  readonly to: string;
}

/** What differs, in words: the same of all classes in one line. */
export function saidDifferences(
  differences: readonly Difference[],
  from: Scenario,
  to: Scenario,
): readonly SaidDifference[] {
  const lines = differences.map((item) => ({ item, ...said(item, from, to) }));
  const kind = ({ item }: { readonly item: Difference }) =>
    JSON.stringify([item.path.replace(/\[\d+\]/, "[]"), item.from, item.to]);
  const first = lines.filter((line, at) => lines.findIndex((other) => kind(other) === kind(line)) === at);
  return first.map((line) => {
    const alike = lines.filter((other) => kind(other) === kind(line)).length;
    const { path } = line.item;
    const list = /^(classes|workloads)\[/.exec(path)?.[1];
    if (alike < 2 || !list) return { what: line.what, from: line.from, to: line.to };
    const all = alike === (list === "classes" ? to.classes : to.workloads).length;
    const title = isField(path, to) ? fieldAt(path, to).title : line.what;
    return {
      what: `${title}, ${all ? "all" : alike} ${list === "classes" ? "classes" : "workloads"}`,
      from: line.from,
      to: line.to,
    };
  });
}

/** Recorded changes that are told one by one. */
const TOLD = 3;

function changesSaid(changes: readonly Change[], scenario: Scenario): string {
  const told = changes.slice(-TOLD).map((change) => describeChange(scenario, change));
  const more = changes.length - told.length;
  return told.length === 0 ? "none" : `${told.join(", ")}${more > 0 ? ` and ${more} before` : ""}`;
}

/** Lists and objects are told by their length or kind. */
function valueSaid(path: string, value: unknown, scenario: Scenario): string {
  if (path === "timeline") return changesSaid(value as readonly Change[], scenario);
  if (Array.isArray(value)) return value.length === 0 ? "none" : `${value.length}`;
  if (typeof value === "object" && value !== null)
    return String((value as { kind?: unknown }).kind ?? "other");
  return isField(path, scenario) ? valueText(fieldAt(path, scenario), value) : String(value ?? "–");
}

function said({ path, from, to }: Difference, before: Scenario, after: Scenario): SaidDifference {
  return {
    what: nameOf(path, isField(path, after) ? after : before, to ?? from),
    from: valueSaid(path, from, before),
    to: valueSaid(path, to, after),
  };
}

/** The field of a difference as changes name it, without their value. */
function nameOf(path: string, scenario: Scenario, value: unknown): string {
  if (path === "timeline") return "Recorded changes";
  if (!isField(path, scenario)) return path;
  const field = fieldAt(path, scenario);
  const [, list, at] = /^(classes|workloads)\[(\d+)\]/.exec(path) ?? [];
  const item =
    list === "classes" ? scenario.classes[Number(at)]?.name : scenario.workloads[Number(at)]?.class;
  return item
    ? `${field.title}, ${item}`
    : field.title || describeChange(scenario, { atUs: 0, path, value } as Change);
}
