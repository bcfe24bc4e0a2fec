import type {
  StudyAnswer,
  StudyCost,
  StudyPoint,
  StudyProgress,
  StudyTable,
} from "../../../generated/answers.d.ts";
import type { StudyDocument, Suggestions } from "../../../scenario/study.ts";
import type { Scenario } from "../../../scenario/types.ts";

/** A study that the engine has taken. */
export interface OpenedStudy {
  /** As the engine reads it, brought to its version. */
  readonly document: StudyDocument;
  readonly cost: StudyCost;
  readonly table: StudyTable;
}

/** A run that is to be made. */
export interface StudyJob {
  readonly id: number;
  readonly scenario: string;
}

/** What became of a run. */
export type StudyOutcome =
  | { readonly id: number; readonly summary: string }
  | { readonly id: number; readonly failure: string };

/** What the worker gives out next; nothing where what is under way decides what comes, or the study is done. */
export interface StudyTurn {
  readonly jobs: readonly StudyJob[];
  /** Results that were found to be there already: kept, or made by another window meanwhile. */
  readonly recalled: number;
}

/** What has changed since it was asked for last. */
export interface StudyNews {
  /** The whole table, where that is another one. */
  readonly table: StudyTable | null;
  /** Points of it that are other ones, by their places. */
  readonly points: readonly (readonly [place: number, point: StudyPoint])[];
  readonly progress: StudyProgress;
  /** Null until the study is done. */
  readonly answer: StudyAnswer | null;
  readonly kept: KeptResults;
}

/** What this browser keeps of the results of all studies. */
export interface KeptResults {
  readonly count: number;
  readonly bytes: number;
  /** Beyond it those that were used least recently are forgotten. */
  readonly limitBytes: number;
  /** Why nothing is kept; null where results are. */
  readonly fault: string | null;
}

/** What the worker of a study can be asked, and what it answers. One that is asked to `open` first has the study from then on. */
export interface StudyQuestions {
  /** The scenario as JSON; null where the study has its own. Traces are given by their names, with the hashes of their contents. */
  open(
    study: string,
    scenario: string | null,
    traces: Readonly<Record<string, string>>,
  ): Promise<OpenedStudy>;
  /** The same, to hear what is wrong: nothing is opened. */
  check(study: string, scenario: string): Promise<null>;
  close(): Promise<null>;
  /** Takes in what is kept of the study, some of it at a time. Answers how many results that were, and whether there may be more. */
  recall(): Promise<{ readonly recalled: number; readonly more: boolean }>;
  /** Gives out runs, each once. */
  next(most: number): Promise<StudyTurn>;
  /** Takes in, and keeps, what became of runs. */
  put(outcomes: readonly StudyOutcome[]): Promise<null>;
  /** Runs that were given out are not made after all. */
  giveBack(ids: readonly number[]): Promise<null>;
  news(): Promise<StudyNews>;
  /** That very run, by its point in the table and its seed as counted from the first one. */
  scenarioAt(point: number, seed: number): Promise<Scenario>;
  kept(): Promise<KeptResults>;
  /** Forgets all results that are kept. */
  forget(): Promise<KeptResults>;
  suggest(scenario: string): Promise<Suggestions>;
  traceHash(bytes: Uint8Array<ArrayBuffer>): Promise<string>;
}
