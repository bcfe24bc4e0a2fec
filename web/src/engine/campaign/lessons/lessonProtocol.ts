import type { Picture } from "../../../answers/picture.ts";
import type { Lesson } from "../../../generated/lesson.d.ts";
import type { Diagnostic, Scenario } from "../../../scenario/types.ts";

export type { Lesson } from "../../../generated/lesson.d.ts";

/** What a learner answers to the question of a step. */
export type Answer =
  | { readonly kind: "choice"; readonly option: number }
  | { readonly kind: "number"; readonly value: number }
  /** One value for each point of the curve. */
  | { readonly kind: "curve"; readonly values: readonly number[] }
  | { readonly kind: "unknown" };

/** What the run has shown. */
export type Happened =
  | { readonly kind: "choice"; readonly option: number; readonly text: string }
  /** None of the options is so in this run. */
  | { readonly kind: "none"; readonly text: string }
  | { readonly kind: "number"; readonly value: number; readonly text: string }
  | { readonly kind: "curve"; readonly values: readonly number[] };

/** What the engine says of an answer, once the run has shown what happens. */
export interface Judgement {
  readonly right: boolean;
  /** How far it is from what happened, in words; null for a choice. */
  readonly distance: string | null;
  readonly happened: Happened;
  /** Why one might think so; null where nothing is said. */
  readonly feedback: string | null;
}

/** How a statement about results stands. */
export interface ToldStatement {
  readonly says: string;
  /** Null where there is no result yet, or no value. */
  readonly value: number | null;
  readonly text: string;
  /** Its bounds: "at most 300 us". */
  readonly wanted: string;
  /** Null while there is no result of a measured part of the run. */
  readonly holds: boolean | null;
}

/** The texts of a step with the numbers of its results in them, "…" where a result is not there yet. */
export interface Told {
  readonly title: string;
  readonly text: string;
  readonly prompt: string | null;
  readonly options: readonly string[];
  readonly look: readonly string[];
  readonly hints: readonly string[];
  /** Why what one might try fails, in the order of the challenge's `wrong`. */
  readonly wrong: readonly string[];
  readonly explain: string | null;
  readonly goals: readonly ToldStatement[];
  readonly asserts: readonly ToldStatement[];
  /** The step's own plot, once its results are there. */
  readonly picture: Picture | null;
}

/** Values of fields by path. */
export type Changes = Readonly<Record<string, unknown>>;

/** What the worker of a lesson can be asked, and what it answers. One that is asked for `lesson` first has it from then on. */
export interface LessonQuestions {
  lesson(json: string): { readonly lesson: Lesson; readonly scenarioNames: readonly string[] };
  /** The scenarios of these names. Answers with what is wrong with the lesson and them, and with what every step speaks of. */
  check(scenarios: readonly (readonly [name: string, json: string])[]): {
    readonly diagnostics: readonly Diagnostic[];
    readonly needs: readonly (readonly string[])[];
  };
  scenarios(run: string, seed: number | null, set: Changes | null): readonly Scenario[];
  model(name: string): null;
  put(run: string, summaries: readonly object[], scenarios: readonly Scenario[]): null;
  /** Keeps the result of the student's own settings at a step. Its goals are judged by it. */
  tryOut(step: number, summary: object, scenario: Scenario): null;
  forgetTry(): null;
  told(step: number): Told;
  judge(step: number, answer: Answer): Judgement;
  seedOf(name: string): number;
}
