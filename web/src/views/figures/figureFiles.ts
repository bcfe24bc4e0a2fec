import results from "../../../../scenarios/results/figures.json";
import { paperOf } from "../../answers/figures.ts";
import type { FigureResults } from "../../generated/answers.d.ts";
import type { Run } from "../../generated/figure.d.ts";
import { setPaths } from "../../scenario/path.ts";
import { SCENARIOS } from "../../scenario/presets.ts";
import { REFERENCES } from "../../scenario/references.ts";
import type { Figure, FigureRun } from "../../scenario/themes.ts";
import type { Scenario } from "../../scenario/types.ts";

/** What the view reads of a file of `scenarios/figures/`; the engine reads the rest. */
export interface FigureFile extends Figure {
  readonly claim: string;
  readonly runs?: readonly FileRun[];
  readonly models?: readonly unknown[];
}

type FileRun = FigureRun & Pick<Run, "seeds" | "sweep">;

/** Cases of other simulators are figures, too. */
const files = import.meta.glob<FigureFile>("../../../../scenarios/figures/*.json", {
  eager: true,
  import: "default",
});

const collator = new Intl.Collator("en", { numeric: true });

/** What all figures gave under all of their seeds when they were run last. */
export const RESULTS = results as unknown as FigureResults;

/** The papers, the simulators, and what is of our own, each in the order of the tally. */
export const PAPERS: readonly string[] = RESULTS.tally
  .map(({ paper }) => paper)
  .toSorted((a, b) => rankOf(a) - rankOf(b));

function rankOf(paper: string): number {
  if (paper.startsWith("Paper")) return 0;
  return /^(Own|Our)\b/.test(paper) ? 2 : 1;
}

/** All figures: paper by paper, each by number. */
export const FIGURE_FILES: readonly FigureFile[] = Object.values(files).toSorted(
  (a, b) =>
    PAPERS.indexOf(paperOf(a.source)) - PAPERS.indexOf(paperOf(b.source)) || collator.compare(a.id, b.id),
);

/** A scenario that a figure runs, by the name of its file. */
export function scenarioNamed(name: string): Scenario {
  const scenario = SCENARIOS[name] ?? REFERENCES[name];
  if (!scenario) throw new Error(`There is no scenario ${name}.`);
  return scenario;
}

/** The title of a run: its own, or that of its scenario. Its name is for expressions alone. */
export const runTitle = ({ title, scenario }: FileRun): string => title ?? scenarioNamed(scenario).name;

/** The scenario of a run as the figure has it; of one that sweeps a field, that at its first value. */
export function scenarioOfRun(
  { source }: FigureFile,
  { scenario, title, set = {}, sweep }: FileRun,
): Scenario {
  const base = scenarioNamed(scenario);
  const changes = Object.entries(set).map(([path, value]) => ({ path, value }));
  const first = sweep ? [{ path: sweep.path, value: sweep.values[0] }] : [];
  const all = [...changes, ...first];
  return all.length === 0 ? base : { ...setPaths(base, all), name: `${source}${title ? `: ${title}` : ""}` };
}
