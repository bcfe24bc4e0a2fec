import { group } from "d3-array";
import type { Figure as FigureDocument, Run } from "../generated/figure.d.ts";
import { setPaths } from "./path.ts";
import type { Scenario } from "./types.ts";

/** What the menu reads of a file of `scenarios/figures/`: a figure of a paper, or a case of another simulator. */
export type Figure = Pick<FigureDocument, "id" | "title" | "source" | "theme" | "comparisons"> & {
  readonly runs?: readonly FigureRun[];
};

/** A simulation of a figure: a scenario, and what it changes of it. */
export type FigureRun = Pick<Run, "scenario" | "set"> & Partial<Pick<Run, "name" | "title">>;

/** A scenario that the menu has beside those of figures. */
export interface MenuEntry {
  /** Name of the scenario's file, without its ending. */
  readonly scenario: string;
  readonly source?: string;
}

/** `menu.json`: the themes in their order, and what belongs to no figure. */
export interface Menu {
  readonly themes: readonly MenuTheme[];
  /** One scenario of each kind to begin with, shown in the first theme, too. */
  readonly tour: readonly string[];
}

/** What a group of scenarios is about. */
export interface Theme {
  readonly title: string;
  /** What one will see, in a line. */
  readonly promise: string;
}

interface MenuTheme extends Theme {
  /** Scenarios that belong to no figure; they stand first. */
  readonly scenarios?: readonly MenuEntry[];
}

/** A scenario of the menu, as one figure has it: one that serves several figures stands there several times. */
export interface Preset {
  /** Name of the scenario's file, without its ending. */
  readonly id: string;
  /** What its figure calls it, where comparisons speak of it; the menu has its own name, as the page has once it is open. */
  readonly title: string;
  /** Where it comes from; empty where it belongs to no figure. */
  readonly source: string;
  /** Id of the figure, if it belongs to one. */
  readonly figure: string;
  readonly scenario: Scenario;
}

export interface ThemeGroup {
  readonly theme: Theme;
  readonly presets: readonly Preset[];
}

/** Scenarios by the names of their files. */
export type Scenarios = Readonly<Record<string, Scenario>>;

const collator = new Intl.Collator("en", { numeric: true });

/** Scenarios that a paper, or the menu, holds against each other. */
export interface ComparedPresets {
  readonly title: string;
  readonly source: string;
  /** What tells them apart, one for each scenario. */
  readonly labels: readonly string[];
  readonly scenarios: readonly Scenario[];
}

/** Runs that the comparisons of a figure hold side by side where it does not say itself which. */
const SIDE_BY_SIDE = 3;

/** The comparisons that figures state, by the ids of the figures. */
export function statedComparisons(
  figures: readonly Figure[],
  scenarios: Scenarios,
): ReadonlyMap<string, readonly ComparedPresets[]> {
  const stated = ({ source, runs = [], comparisons = [], title }: Figure): readonly ComparedPresets[] =>
    comparisons.map((compared) => ({
      title: `${title}: ${compared.title}`,
      source,
      labels: compared.runs.map((item) => item.title),
      scenarios: compared.runs.flatMap((item) => {
        const run = runs.find(({ name }) => name === item.run);
        const scenario = scenarios[run?.scenario ?? ""];
        if (!scenario) return [];
        const changes = Object.entries(run?.set ?? {}).map(([path, value]) => ({ path, value }));
        const name = `${title}, ${item.title}`;
        return [{ ...setPaths(scenario, changes), name }];
      }),
    }));
  return new Map(figures.map((figure) => [figure.id, stated(figure)]));
}

/**
 * The comparisons among the presets of a theme: those that a figure states, then its scenarios, or where these are too many
 * those whose names differ in their last word, such as the transport.
 */
export function comparisonsOf(
  presets: readonly Preset[],
  stated: ReadonlyMap<string, readonly ComparedPresets[]> = new Map(),
): readonly ComparedPresets[] {
  return [...group(presets, ({ figure }) => figure)].flatMap(([figure, found]) => {
    if (figure === "") return [];
    const own = stated.get(figure) ?? [];
    if (found.length <= SIDE_BY_SIDE) return [...own, ...comparison(found)];
    const alike = group(found, ({ id }) => id.replace(/-[^-]*$/, ""));
    return [...own, ...[...alike.values()].flatMap(comparison)];
  });
}

/** Scenarios of a figure side by side: what their titles share is the title, what is left of them tells them apart. */
function comparison(presets: readonly Preset[]): readonly ComparedPresets[] {
  const [first] = presets;
  if (!first || presets.length < 2 || presets.length > SIDE_BY_SIDE) return [];
  const parts = presets.map(({ title }) => title.split(/(?<=[:,] )/));
  const [own = []] = parts;
  const differs = own.findIndex((part, at) => parts.some((other) => other[at] !== part));
  const shared = differs < 0 ? 0 : differs;
  const title = own
    .slice(0, shared)
    .join("")
    .replace(/[:,] $/, "");
  return [
    {
      title: title || first.title,
      source: first.source,
      labels: parts.map((all) => all.slice(shared).join("")),
      scenarios: presets.map(({ scenario }) => scenario),
    },
  ];
}

/** The menu: figures stand under their themes in the order of their ids, a figure's scenarios in that of its runs. */
export function themeGroups(
  menu: Menu,
  figures: readonly Figure[],
  scenarios: Scenarios,
): readonly ThemeGroup[] {
  const inOrder = figures.toSorted((a, b) => collator.compare(a.id, b.id));
  const preset = (figure: string, source: string, title: string, id: string): readonly Preset[] => {
    const scenario = scenarios[id];
    return scenario ? [{ id, title, source, figure, scenario }] : [];
  };
  const ofFigure = ({ id, title, source, runs = [] }: Figure) => {
    const first = runs.filter(
      (run, index) => runs.findIndex(({ scenario }) => scenario === run.scenario) === index,
    );
    return first.flatMap((run) =>
      preset(id, source, first.length > 1 && run.title ? `${title}: ${run.title}` : title, run.scenario),
    );
  };
  return menu.themes.map(({ title, promise, scenarios: entries = [] }) => ({
    theme: { title, promise },
    presets: [
      ...entries.flatMap(({ scenario, source = "" }) =>
        preset("", source, scenarios[scenario]?.name ?? "", scenario),
      ),
      ...inOrder.filter(({ theme }) => theme === title).flatMap(ofFigure),
    ],
  }));
}

/** The groups with some scenarios of the others in the first one, too: a tour of what there is. */
export function withTour(groups: readonly ThemeGroup[], tour: readonly string[]): readonly ThemeGroup[] {
  const [first, ...others] = groups;
  if (!first) return [];
  const rest = others.flatMap(({ presets }) => presets);
  const stops = tour.flatMap((id) => rest.find((preset) => preset.id === id) ?? []);
  return [{ ...first, presets: [...first.presets, ...stops] }, ...others];
}

/** The groups with what matches: every word of the search stands in names, description, figure or theme. */
export function found(groups: readonly ThemeGroup[], search: string): readonly ThemeGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  return groups.flatMap(({ theme, presets }) => {
    const matching = presets.filter(({ id, title, source, figure, scenario }) => {
      const texts = [id, title, source, figure, scenario.name, scenario.description, scenario.story?.text];
      const text = [...texts, theme.title].join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return matching.length > 0 ? [{ theme, presets: matching }] : [];
  });
}
