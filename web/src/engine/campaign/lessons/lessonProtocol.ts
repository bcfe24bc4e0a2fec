import type { Judgement, LessonAnswer, ToldStep } from "../../../generated/answers.d.ts";
import type { Lesson } from "../../../generated/lesson.d.ts";
import type { Diagnostic, Scenario } from "../../../scenario/types.ts";

export type {
  Judgement,
  LessonAnswer as Answer,
  ToldStep as Told,
} from "../../../generated/answers.d.ts";
export type { Lesson } from "../../../generated/lesson.d.ts";

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
  told(step: number): ToldStep;
  judge(step: number, answer: LessonAnswer): Judgement;
  seedOf(name: string): number;
}
