import { spokenName, unitName } from "../scenario/check.ts";
import type { Cable } from "../scenario/drawing.ts";
import { type Field, fieldAt } from "../scenario/schema.ts";
import type { Change, Scenario } from "../scenario/types.ts";
import { formatField, shownUnit } from "../scenario/units.ts";

/** Changes that read better in words of their own; the path without its index, and the value. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "classes[].goal": { throughput: "aims at its throughput share", latency: "aims at its tail latency" },
  "classes[].dirs.enabled": { true: "initial rates by DIRS", false: "initial rates of the link" },
  "classes[].timely.patched": { true: "patched TIMELY", false: "TIMELY as published" },
  "qos.adaptToInterference": { true: "Adapt to interference", false: "Ignore interference" },
  "switch.marking": { step: "Mark at K", red: "Mark by RED", off: "Marking off" },
  "switch.markingPoint": { arrival: "Mark on arrival", departure: "Mark on departure" },
  "switch.buffering": {
    "per-port": "A buffer for every port",
    shared: "Shared buffer",
    pfc: "Shared buffer with pause frames",
  },
  "switch.threshold": { dynamic: "Dynamic threshold", static: "Static threshold" },
};

const FAILED = "topology.failedLinks";

/** A recorded change in a few words: "K 40 packets", "High: DCTCP", "Low offered 60 Gb/s", "e0.0 to a0.0 fails". */
export function describeChange(scenario: Scenario, change: Change): string {
  if (change.path === FAILED) return failuresText(failuresBefore(scenario, change), change.value);
  const field = fieldAt(change.path, scenario);
  const [, list, at] = /^(classes|workloads)\[(\d+)\]/.exec(change.path) ?? [];
  const item =
    list === "classes" ? scenario.classes[Number(at)]?.name : scenario.workloads[Number(at)]?.class;
  const words = WORDS[change.path.replace(/\[\d+\]/, "[]")]?.[String(change.value)];
  if (words !== undefined) return item ? `${item}: ${words}` : words;
  const option = field.options?.find((candidate) => candidate.value === change.value)?.title;
  if (option !== undefined) return item ? `${item}: ${option}` : `${field.title} ${option}`;
  const name = item ? `${item} ${titleInside(scenario, change.path, field)}` : spokenName(field);
  return `${name} ${valueText(field, change.value)}`.trim();
}

/** The changes of a try in a few words; of those that set whole objects and lists the titles. */
export const describeChanges = (
  scenario: Scenario,
  changes: readonly { readonly path: string; readonly value?: unknown }[],
): string =>
  changes
    .map(({ path, value }) =>
      typeof value === "object" && value !== null && path !== FAILED
        ? fieldAt(path, scenario).title
        : describeChange(scenario, { atUs: 0, path, value }),
    )
    .join(", ");

/** The cables that are down before a change of them takes effect. */
function failuresBefore(scenario: Scenario, change: Change): unknown {
  const timeline = scenario.timeline ?? [];
  const place = timeline.indexOf(change);
  const before = timeline.slice(0, Math.max(place, 0)).findLast(({ path }) => path === FAILED);
  return before ? before.value : scenario.topology.failedLinks;
}

/** "e0.0 to a0.0 fails, e0.1 to a0.0 is mended" */
function failuresText(before: unknown, after: unknown): string {
  const [down, next] = [cablesOf(before), cablesOf(after)];
  const parts = [
    ...next.filter((cable) => !down.includes(cable)).map((cable) => `${cable} fails`),
    ...down.filter((cable) => !next.includes(cable)).map((cable) => `${cable} is mended`),
  ];
  return parts.join(", ") || "Failed cables as before";
}

/** Cables by the names of their ends, the same whichever end comes first. */
const cablesOf = (value: unknown): string[] =>
  ((value ?? []) as readonly Cable[]).map(({ from, to }) => [from, to].sort().reverse().join(" to "));

/** "offered", "DCQCN CNP interval": the title within a sentence, after the object it belongs to. */
function titleInside(scenario: Scenario, path: string, field: Field): string {
  const object = /^(classes\[\d+\]\.\w+)\.\w+$/.exec(path)?.[1];
  const prefix = object && fieldAt(object, scenario).title;
  return prefix ? `${prefix} ${uncapitalised(field.title)}` : uncapitalised(field.title);
}

/** Lower case for the first letter, unless the word is an acronym or a symbol. */
const uncapitalised = (title: string): string =>
  /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;

/** A value of a field with its unit, as a sentence gives it. */
export function valueText(field: Pick<Field, "unit" | "options">, value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  const option = field.options?.find((candidate) => candidate.value === value)?.title;
  if (option !== undefined) return option;
  if (typeof value !== "number") return String(value ?? "empty");
  const unit = shownUnit(field.unit, value);
  const shown = value / unit.factor;
  return `${formatField(shown)} ${unitFor(shown, unitName(unit.unit))}`.trim();
}

/** A unit beside a number: "1 packet", "2 packets". */
const unitFor = (value: number, unit: string): string =>
  value === 1 && /^[a-z]{4,}s$/.test(unit) ? unit.slice(0, -1) : unit;
