import type { Lesson } from "../../generated/lesson.d.ts";

/** Lessons as the page reads them: the types are generated from the schema that the engine exports. */

export type { LessonEngine } from "../../engine/campaign/lessons/lessons.ts";
export type {
  Happened,
  Judgement,
  LessonAnswer as Answer,
  ToldStep as Told,
} from "../../generated/answers.d.ts";

export type { Lesson };
export type LessonStep = Lesson["steps"][number];

type StepOf<K extends LessonStep["kind"]> = Extract<LessonStep, { readonly kind: K }>;
export type PredictStep = StepOf<"predict">;
export type ExploreStep = StepOf<"explore">;
export type ChallengeStep = StepOf<"challenge">;

export type Question = PredictStep["question"];

type QuestionOf<K extends Question["kind"]> = Extract<Question, { readonly kind: K }>;
export type NumberQuestion = QuestionOf<"number">;
export type CurveQuestion = QuestionOf<"curve">;

/** An axis of the empty chart that a curve is drawn into. */
export type CurveAxis = CurveQuestion["x" | "y"];
/** A control that a step leaves free. */
export type Control = ExploreStep["controls"][number];

/** A step at which something is scored: a prediction, or a challenge. */
export const isScored = ({ kind }: Pick<LessonStep, "kind">): boolean =>
  kind === "predict" || kind === "challenge";
