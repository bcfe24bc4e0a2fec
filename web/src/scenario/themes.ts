import { anyClass, isRateBased } from "./transports.ts";
import type { Scenario } from "./types.ts";

/** A scenario of the menu. */
export interface Preset {
  /** File name without its ending. */
  readonly id: string;
  readonly scenario: Scenario;
}

/** What a group of scenarios is about. */
export interface Theme {
  readonly title: string;
  /** What one will see, in a line. */
  readonly promise: string;
  /** Whether a scenario belongs here, unless it does to a theme before. */
  readonly holds: (preset: Preset) => boolean;
}

const isFigure = (id: string) => /^paper\d-/.test(id);
const anyOf = (scenario: Scenario, is: (item: Scenario["classes"][number]) => boolean) =>
  scenario.classes.some(is);

/** Traffic that begins late, ends early, or does not follow shares while the others look out for it. */
const hasArrivals = ({ workloads, qos }: Scenario) =>
  qos?.adaptToInterference === true ||
  workloads.some(({ startUs, stopUs }) => (startUs ?? 0) > 0 || typeof stopUs === "number");

/**
 * The themes in the order in which scenarios are told apart. They look at what a scenario holds, so that one that is
 * added finds its place by itself; the two sides of a comparison share the beginning of their names.
 */
const TOLD_APART: readonly Theme[] = [
  {
    title: "Initial rates (DIRS)",
    promise:
      "New flows that start at a rate known to fit cause fewer pauses than those that start at full rate.",
    holds: ({ id, scenario }) =>
      id.startsWith("paper3-") || anyOf(scenario, (item) => item.dirs?.enabled === true),
  },
  {
    title: "Urgent memory traffic",
    promise: "Persistent memory beside storage: with priority it hardly waits, and storage hardly notices.",
    holds: ({ id, scenario }) =>
      /-(no)?priority$/.test(id) || anyOf(scenario, (item) => (item.priority ?? 0) > 0),
  },
  {
    title: "Coexistence of TCP and RDMA",
    promise:
      "Windows and paced rates on one link: who takes whose share, and what quality factors do about it.",
    holds: ({ scenario }) =>
      anyClass(scenario, isRateBased) && anyClass(scenario, (transport) => !isRateBased(transport)),
  },
  {
    title: "RDMA, incast and PFC",
    promise: "Rates that follow CNPs; where they react too late, switches pause the links that feed them.",
    holds: ({ scenario }) => anyClass(scenario, isRateBased) || scenario.switch?.buffering === "pfc",
  },
  {
    title: "Deadlines under stress",
    promise: "The same deadlines under DCTCP, D2TCP and QTCP: who misses how many as the load grows.",
    holds: ({ scenario }) => anyOf(scenario, (item) => typeof item.latencyTargetUs === "number"),
  },
  {
    title: "Arriving and non-cooperating flows",
    promise: "Flows that come and go, or ignore ratios: how fast the others yield and recover.",
    holds: ({ id, scenario }) => isFigure(id) && hasArrivals(scenario),
  },
  {
    title: "Shares at 100 Gb/s",
    promise: "Three writers sharing 3:2:1: how close QTCP comes, how fast, and what its model says.",
    holds: ({ id }) => id.startsWith("paper1-"),
  },
  {
    title: "Shares at 10 Gb/s",
    promise: "Near and far servers, quick and slow averages: how fast shares settle, and on what.",
    holds: ({ id }) => id.startsWith("paper2-"),
  },
  {
    title: "Start here",
    promise: "The first scenario, and one of each kind. Change what you like while it runs.",
    holds: () => true,
  },
];

/** The menu begins with what is simple. */
const SHOWN: readonly string[] = [
  "Start here",
  "Shares at 100 Gb/s",
  "Shares at 10 Gb/s",
  "Arriving and non-cooperating flows",
  "Deadlines under stress",
  "RDMA, incast and PFC",
  "Coexistence of TCP and RDMA",
  "Urgent memory traffic",
  "Initial rates (DIRS)",
];

export interface ThemeGroup {
  readonly theme: Theme;
  readonly presets: readonly Preset[];
}

const themeOf = (preset: Preset): Theme | undefined => TOLD_APART.find((theme) => theme.holds(preset));

/** Scenarios by theme, in the order of the menu; themes without any are left out. */
export function themeGroups(presets: readonly Preset[]): ThemeGroup[] {
  return SHOWN.flatMap((title) => {
    const theme = TOLD_APART.find((item) => item.title === title);
    const held = presets.filter((preset) => themeOf(preset) === theme);
    return theme && held.length > 0 ? [{ theme, presets: held }] : [];
  });
}

/** One scenario of each kind to begin with, by the names of their files. */
const HIGHLIGHTS: readonly string[] = [
  "paper1-fig14a",
  "paper1-fig15b-stressed-qtcp",
  "bench-incast-16-pfc",
  "paper1-fig18c",
  "paper1-fig20-write-priority",
  "paper3-fig5a-dcqcn",
];

/** The groups with some scenarios of the others in the first one, too: a tour of what there is. */
export function withTour(groups: readonly ThemeGroup[]): ThemeGroup[] {
  const [first, ...others] = groups;
  if (!first) return [];
  const rest = others.flatMap(({ presets }) => presets);
  const tour = HIGHLIGHTS.flatMap((id) => rest.filter((preset) => preset.id === id));
  return [{ ...first, presets: [...first.presets, ...tour] }, ...others];
}

/** The groups with what matches: every word of the search stands in the scenario's name, description or theme. */
export function found(groups: readonly ThemeGroup[], search: string): ThemeGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...groups];
  return groups.flatMap(({ theme, presets }) => {
    const matching = presets.filter(({ id, scenario }) => {
      const text = `${id} ${scenario.name} ${scenario.description ?? ""} ${theme.title}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return matching.length > 0 ? [{ theme, presets: matching }] : [];
  });
}

/** A scenario's name in two parts: where it comes from, and what it shows. */
export function splitName(name: string): { readonly source: string; readonly title: string } {
  const [, source, rest] = /^(Paper \d+, figs?\. [^:]+|Bench): (.+)$/.exec(name) ?? [];
  if (source === undefined || rest === undefined) return { source: "", title: name };
  return { source, title: rest.charAt(0).toUpperCase() + rest.slice(1) };
}
