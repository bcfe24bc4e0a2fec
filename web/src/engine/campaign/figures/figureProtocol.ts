import type { FigureNeed, FigureRow } from "../../../generated/answers.d.ts";

/** A model that a figure needs. */
export interface NeededModel {
  readonly name: string;
  /** The scenario that it is of; null where it stands for itself. */
  readonly scenario: string | null;
}

/** What the worker of a figure can be asked, and what it answers. It is asked to `open` one first. Scenarios are given as JSON. */
export interface FigureQuestions {
  open(figure: string): { readonly needs: readonly FigureNeed[]; readonly models: readonly NeededModel[] };
  scenarios(run: string, seed: number, scenario: string): readonly object[];
  put(run: string, seed: number, summaries: readonly object[]): null;
  model(name: string, scenario: string | null): null;
  rows(): readonly (FigureRow | null)[];
  digest(): string | null;
}
