import { getPath, parsePath } from "../scenario/path.ts";
import { fieldAt, fieldsAt, kindsAt, valueAt } from "../scenario/schema.ts";
import type { Scenario } from "../scenario/types.ts";
import { endpointsText } from "../scenario/workloads.ts";
import { describeChange, valueText } from "./changeText.ts";

/** Settings of one part of a scenario: a class, a workload, the network. */
export interface SettingsGroup {
  readonly title: string;
  /** Name, and value with its unit. */
  readonly settings: readonly (readonly [name: string, value: string])[];
}

/** What the head of a report says, or what is no setting. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "version",
  "name",
  "description",
  "story",
  "seed",
  "timeline",
  "classes",
  "workloads",
]);

/** Entries of a list that are told one by one. */
const TOLD = 6;

/** What is told of a class in any case: nobody knows these defaults by heart. */
const ALWAYS: readonly string[] = ["ratio", "transport"];

/** Every setting of a scenario that is not at its default, part by part, in the order of the screen. */
export function statedSettings(scenario: Scenario): readonly SettingsGroup[] {
  const top = fieldsAt("", scenario).filter(({ name }) => !LEFT_OUT.has(name));
  const isSection = ({ form }: (typeof top)[number]) => form === "object" || form === "array";
  const sections = top.filter(isSection).map(({ name, title }) => ({ title, path: name }));
  const groups: readonly SettingsGroup[] = [
    {
      title: "Run",
      settings: top.filter((field) => !isSection(field)).flatMap(({ name }) => statedAt(scenario, name)),
    },
    ...scenario.classes.map(({ name }, i) => ({
      title: `Class ${name}`,
      settings: [
        ...ALWAYS.map((field) => settingAt(scenario, `classes[${i}].${field}`)),
        ...inside(scenario, `classes[${i}]`, ["name", ...ALWAYS]),
      ],
    })),
    ...scenario.workloads.map((workload, i) => ({
      title: `Workload of ${workload.class}`,
      settings: [
        ["Endpoints", endpointsText(workload.endpoints)] as const,
        ...inside(scenario, `workloads[${i}]`, ["class", "endpoints"]),
      ],
    })),
    ...sections.map(({ title, path }) => ({ title, settings: inside(scenario, path) })),
    {
      title: "Changes during the run",
      settings: (scenario.timeline ?? []).map(
        (change) => [`${change.atUs / 1000} ms`, describeChange(scenario, change)] as const,
      ),
    },
  ];
  return groups.filter(({ settings }) => settings.length > 0);
}

type Setting = readonly [name: string, value: string];

/** A field with the value that holds, stated or not. */
function settingAt(scenario: Scenario, path: string): Setting {
  const field = fieldAt(path, scenario);
  return [field.title, valueText(field, valueAt(scenario, path))];
}

/** What is stated inside an object, or a list of objects, but for some fields. */
function inside(scenario: Scenario, path: string, without: readonly string[] = []): Setting[] {
  const value = getPath(scenario, path);
  if (Array.isArray(value)) return value.flatMap((_, i) => inside(scenario, `${path}[${i}]`));
  const fields = fieldsAt(path, scenario).filter(({ name }) => !without.includes(name));
  return fields.flatMap(({ name }) => statedAt(scenario, `${path}.${name}`));
}

/** The settings at one field: itself, or what is inside it under its name. */
function statedAt(scenario: Scenario, path: string): Setting[] {
  const value = getPath(scenario, path);
  const field = fieldAt(path, scenario);
  if (value === undefined || value === null || JSON.stringify(value) === JSON.stringify(field.default))
    return [];
  if (Array.isArray(value)) {
    if (value.length <= TOLD && value.every((item) => typeof item === "object" && !Array.isArray(item)))
      return inside(scenario, path).map(([name, text]) => [`${field.title}: ${name}`, text] as const);
    const plain = value.every((item) => typeof item !== "object" || item === null);
    const told = value.length <= TOLD ? value.map((item) => valueText(field, item)).join(", ") : "";
    return [[field.title, (plain && told) || `${value.length} ${value.length === 1 ? "entry" : "entries"}`]];
  }
  if (typeof value !== "object") return [[field.title, valueText(field, value)]];
  const kind = kindsAt(path, scenario).find((item) => item.value === (value as { kind?: unknown }).kind);
  // What stands directly in a part, as the traffic of a workload, needs no name before its own.
  const isNamed = !kind || parsePath(path).filter((key) => typeof key === "string").length > 2;
  return [
    ...(kind ? [[field.title, kind.title] as const] : []),
    ...inside(scenario, path).map(
      ([name, text]) => [isNamed ? `${field.title}: ${name}` : name, text] as const,
    ),
  ];
}
