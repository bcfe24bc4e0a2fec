import type {
  Answer,
  ChallengeStep,
  Happened,
  Lesson,
  PredictStep,
} from "../../../workbench/lesson/lesson.ts";
import type {
  AnsweredQuestion,
  ChallengeRecord,
  LessonProgress,
  OpenedLesson,
} from "../../../workbench/lesson/progress.ts";
import { isDone, openLessonStore, type Progress, scoreOf } from "../../../workbench/lesson/progress.ts";
import type { Interaction, Lms } from "./runtime.ts";

/** A number as an LMS reads it: a decimal, of so many significant digits as somebody means. */
const DIGITS = 6;
const decimal = (value: number): string => String(Number(value.toPrecision(DIGITS)));

/** What happened, as an answer to the question would say it. */
const rightOf = (happened: Happened): readonly string[] =>
  happened.kind === "choice"
    ? [String(happened.option + 1)]
    : happened.kind === "number"
      ? [decimal(happened.value)]
      : happened.kind === "curve"
        ? happened.values.map(decimal)
        : [];

/** What was answered; null for "I don't know". */
const responseOf = (answer: Answer): readonly string[] | null =>
  answer.kind === "choice"
    ? [String(answer.option + 1)]
    : answer.kind === "number"
      ? [decimal(answer.value)]
      : answer.kind === "curve"
        ? answer.values.map(decimal)
        : null;

const KINDS = { choice: "choice", number: "numeric", curve: "fill-in" } as const;

/** How the answer to a question is told. */
function interactionOf(
  id: string,
  { question }: PredictStep,
  { answer, judgement, at, seconds }: AnsweredQuestion,
): Interaction {
  return {
    id,
    kind: KINDS[question.kind],
    response: responseOf(answer),
    correct: judgement && rightOf(judgement.happened),
    description: question.prompt,
    right: answer.kind === "unknown" ? null : (judgement?.right ?? null),
    latencyS: seconds,
    at: new Date(at),
  };
}

/** How a challenge is told, once it is solved or given up. */
function interactionOfChallenge(
  id: string,
  { title }: ChallengeStep,
  { solved, shown, hints }: ChallengeRecord,
): Interaction | null {
  if (!solved && !shown) return null;
  return {
    id,
    kind: "other",
    description: title,
    response: [shown ? "solution shown" : `solved with ${hints} hints`],
    correct: null,
    right: solved,
    latencyS: 0,
    at: new Date(),
  };
}

/** What an LMS is told of the answers of a lesson, by step. */
function interactionsOf(
  { steps, id }: Lesson,
  { answers, challenges }: LessonProgress,
): readonly Interaction[] {
  return steps.flatMap((step, at) => {
    const name = `${id}-${at + 1}`;
    const [answered, record] = [answers[at], challenges[at]];
    if (step.kind === "predict" && answered) return interactionOf(name, step, answered);
    if (step.kind === "challenge" && record) return interactionOfChallenge(name, step, record) ?? [];
    return [];
  });
}

/**
 * The same progress in fewer letters: without what judgements say in words, which only explains again; then with fewer digits of
 * curves. Answers that have been judged stay judged.
 */
export function slimmer(json: string): readonly string[] {
  const lessons: unknown = JSON.parse(json);
  const slim = (digits: number) =>
    JSON.stringify(lessons, (name, value: unknown) => {
      if (name === "distance" || name === "feedback") return null;
      if (name === "seconds" && typeof value === "number") return Math.round(value);
      if (name !== "values" || !Array.isArray(value)) return value;
      return value.map((one: number) => Number(one.toPrecision(digits)));
    });
  return [slim(DIGITS), slim(2)];
}

/**
 * Reports the lesson that is open to the LMS: every answer as it is locked in and again as it is judged, the score, and where the
 * learner is. The LMS keeps what the browser would.
 */
export function reportTo(lms: Lms, progress: Progress): void {
  progress.keepIn({
    getItem: () => lms.kept,
    setItem: (_, json) => lms.keep([json, ...slimmer(json)]),
  });
  /** What has been told, by its id, and whether it was judged then. */
  let told: ReadonlyMap<string, boolean> | null = null;
  let reported = "";
  const report = ({ lesson, key, seed }: OpenedLesson) => {
    const now = progress.of(key, seed);
    const all = interactionsOf(lesson, now);
    const before = told;
    told = new Map(all.map((one) => [one.id, isJudged(one)]));
    // What was there when the lesson was opened has been told at the visit before.
    const news =
      before === null
        ? []
        : all.filter((one) => (before.get(one.id) ?? false) !== isJudged(one) || !before.has(one.id));
    for (const one of news) lms.interaction(one);
    const text = JSON.stringify(now);
    if (text === reported) return;
    reported = text;
    const { points, of } = scoreOf(lesson, now);
    const part = now.done.length / lesson.steps.length;
    lms.report({ step: now.step, points, of, progress: part, done: isDone(lesson, now) });
  };
  const look = () => {
    const opened = openLessonStore.getState();
    if (opened.lesson) report(opened);
  };
  openLessonStore.subscribe(look);
  progress.store.subscribe(look);
  look();
}

/** A run has told what happens. "I don't know" is judged by what is right. */
const isJudged = ({ correct, right }: Interaction): boolean => correct !== null || right !== null;
