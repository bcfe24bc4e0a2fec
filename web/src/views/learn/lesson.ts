/** Lessons as the page reads them. The engine checks and writes them out; docs/lessons.md says how one is written. */

/** What text says is so: it holds where the value lies within the bounds, one of which there is at least. */
export interface Statement {
  readonly says?: string;
  readonly value: string;
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
  readonly decimals?: number;
}

/** A run that a lesson speaks of, by the name that its expressions use. */
export interface LessonRun {
  readonly name: string;
  readonly title?: string;
  readonly scenario: string | object;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly sweep?: { readonly path: string; readonly values: readonly unknown[] };
}

interface StepOf<K extends string> {
  readonly kind: K;
  readonly title: string;
  readonly text: string;
  /** The run on the screen, by its name; that of the step before where it is absent. */
  readonly run?: string;
  /** What stands beside the text, from the top. */
  readonly show?: readonly string[];
  readonly asserts?: readonly Statement[];
}

export interface Option {
  readonly text: string;
  readonly right?: boolean;
  readonly feedback?: string;
}

export interface ChoiceQuestion {
  readonly kind: "choice";
  readonly prompt: string;
  readonly options: readonly Option[];
}

export interface NumberQuestion {
  readonly kind: "number";
  readonly prompt: string;
  readonly unit: string;
  readonly decimals?: number;
  readonly scale: { readonly min: number; readonly max: number; readonly log?: boolean };
}

/** An axis of the empty chart that a curve is drawn into. */
export interface CurveAxis {
  readonly title: string;
  readonly unit?: string;
  readonly log?: boolean;
}

export interface CurveQuestion {
  readonly kind: "curve";
  readonly prompt: string;
  readonly x: CurveAxis;
  readonly y: CurveAxis & { readonly min: number; readonly max: number };
  readonly points: readonly { readonly x: number; readonly value: string }[];
}

export type Question = ChoiceQuestion | NumberQuestion | CurveQuestion;

/** A control that a step leaves free. */
export interface Control {
  readonly path: string;
  readonly title?: string;
  readonly min?: number;
  readonly max?: number;
}

export type ReadStep = StepOf<"read">;

export type PredictStep = StepOf<"predict"> & { readonly question: Question; readonly explain: string };

export type ExploreStep = StepOf<"explore"> & {
  readonly controls: readonly Control[];
  readonly look?: readonly string[];
};

export type ChallengeStep = StepOf<"challenge"> & {
  readonly controls: readonly Control[];
  readonly goals: readonly Statement[];
  readonly hints?: readonly string[];
  readonly solution: Readonly<Record<string, unknown>>;
  readonly wrong?: readonly { readonly set: Readonly<Record<string, unknown>>; readonly text: string }[];
  readonly explain?: string;
};

export type CompareStep = StepOf<"compare"> & { readonly runs: readonly string[]; readonly explain?: string };

export type LessonStep = ReadStep | PredictStep | ExploreStep | ChallengeStep | CompareStep;

export interface Lesson {
  readonly version: number;
  readonly id: string;
  /** Its place among those of QoScope; absent in a teacher's own. */
  readonly number?: number;
  readonly title: string;
  /** What one can do afterwards. */
  readonly outcome: string;
  readonly minutes: number;
  readonly papers?: readonly string[];
  /** The lesson that it goes on from, by its id. */
  readonly follows?: string;
  readonly runs: readonly LessonRun[];
  readonly steps: readonly LessonStep[];
}

/** What a learner answers to the question of a step. */
export type Answer =
  | { readonly kind: "choice"; readonly option: number }
  | { readonly kind: "number"; readonly value: number }
  /** One value for each point of the curve. */
  | { readonly kind: "curve"; readonly values: readonly number[] }
  | { readonly kind: "unknown" };

/** What the engine says of an answer, once the run has shown what happens. */
export interface Judgement {
  readonly right: boolean;
  /** How far it is from what happened, in words; empty for a choice. */
  readonly distance: string;
  /** What happened: the place of the option, the value with its text, or the values of the curve. */
  readonly option: number | null;
  readonly value: number | null;
  readonly valueText: string;
  readonly values: readonly number[] | null;
  /** Why one might think so; null where nothing is said. */
  readonly feedback: string | null;
}

/** A step at which something is scored: a prediction, or a challenge. */
export const isScored = ({ kind }: LessonStep): boolean => kind === "predict" || kind === "challenge";
