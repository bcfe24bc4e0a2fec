export type { FieldSuggestion, MeasureSuggestion, Suggestions } from "../generated/answers.d.ts";

import type { Study } from "../generated/study.d.ts";

/** The document of a study: what varies, seeds, measures, and what is asked. The types are generated from the schema that the engine exports. */
export type StudyDocument = Study;

export type StudyFactorDocument = NonNullable<StudyDocument["vary"]>[number];
export type StudyMeasureDocument = StudyDocument["measures"][number];
export type StudyRange = NonNullable<StudyFactorDocument["range"]>;
export type StudyAsk = StudyDocument["ask"];
export type StudyKind = StudyAsk["kind"];
export type StudyTarget = Extract<StudyAsk, { kind: "search" }>["targets"][number];
export type StudyPreference = Extract<StudyAsk, { kind: "search" }>["prefer"][number];
