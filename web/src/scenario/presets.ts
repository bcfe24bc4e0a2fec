import scenarios from "../generated/scenarios.json";
import menu from "./menu.json";
import {
  type Figure,
  type Scenarios,
  statedComparisons,
  type ThemeGroup,
  themeGroups,
  withTour,
} from "./themes.ts";

/** Figures that repeat a case of another simulator are not in the menu, nor are their scenarios. */
const figures = import.meta.glob<Figure>(
  ["../../../scenarios/figures/*.json", "!../../../scenarios/figures/ref-*.json"],
  { eager: true, import: "default" },
);

/** The scenarios that the menu can show, by the names of their files. */
export const SCENARIOS = scenarios as unknown as Scenarios;

/** The figures of the papers. */
export const FIGURES: readonly Figure[] = Object.values(figures);

/** The menu, by theme. */
export const PRESET_GROUPS: readonly ThemeGroup[] = themeGroups(menu, FIGURES, SCENARIOS);

/** The menu without a search: its first theme has some of the others, too. */
export const PRESET_TOUR: readonly ThemeGroup[] = withTour(PRESET_GROUPS, menu.tour);

/** The comparisons that figures state, by the ids of the figures. */
export const STATED_COMPARISONS = statedComparisons(FIGURES, SCENARIOS);
