import type { Study } from "../generated/study.d.ts";
import type { Frozen } from "./types.ts";

/** The document of a study: what varies, seeds, measures, and what is asked. The types are generated from the schema that the engine exports. */
export type StudyDocument = Frozen<Study>;

export type StudyFactorDocument = NonNullable<StudyDocument["vary"]>[number];
export type StudyMeasureDocument = StudyDocument["measures"][number];
export type StudyRange = NonNullable<StudyFactorDocument["range"]>;
export type StudyAsk = StudyDocument["ask"];
export type StudyKind = StudyAsk["kind"];
export type StudyTarget = Extract<StudyAsk, { kind: "search" }>["targets"][number];
export type StudyPreference = Extract<StudyAsk, { kind: "search" }>["prefer"][number];

/** What of a scenario can vary, and what can be asked of it, as the engine says. */
export interface Suggestions {
  /** Every field that has an effect, in the order of the screen. */
  readonly fields: readonly FieldSuggestion[];
  readonly measures: readonly MeasureSuggestion[];
  /** What a first sensitivity takes, and what varies in one that names nothing. */
  readonly sensitivity: {
    readonly seeds: number;
    readonly walks: number;
    readonly vary: readonly StudyFactorDocument[];
  };
}

export interface FieldSuggestion {
  readonly path: string;
  readonly title: string;
  readonly symbol: string | null;
  readonly unit: string | null;
  /** Its values are words, not numbers. */
  readonly isWords: boolean;
  /** The words, in the order of the screen. */
  readonly options: readonly { readonly value: string | boolean; readonly title: string }[];
  /** A sensible range about the present value; null for words. */
  readonly range: StudyRange | null;
  /** The value that the scenario has; null where that is none of its own. */
  readonly present: number | string | boolean | null;
  /** What theory recommends: from and to. */
  readonly recommended: readonly [from: number, to: number] | null;
  /** It is what a first study varies. */
  readonly suggested?: boolean;
}

export interface MeasureSuggestion {
  readonly title: string;
  readonly value: string;
  readonly unit: string | null;
  /** It is among those that a first study asks for. */
  readonly suggested: boolean;
}
