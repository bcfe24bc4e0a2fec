import {
  type Answer,
  type Happened,
  isScored,
  type Lesson,
  type Question,
} from "../../../workbench/lesson/lesson.ts";
import { type LessonKey, scoreOf } from "../../../workbench/lesson/progress.ts";
import { type Answers, type ReadAnswers, readAnswers, readAnswersLink } from "./answersFile.ts";

/** What a teacher has brought together, as long as the tab lives. */
export interface Collected {
  /** The latest answers of each student to each lesson, in the order in which they came. */
  readonly answers: readonly Answers[];
  /** What was not taken, by its name, with everything that is wrong. */
  readonly refused: readonly { readonly name: string; readonly faults: readonly string[] }[];
  /** What a student handed in twice: what counts, and what does not. */
  readonly replaced: readonly { readonly kept: Answers; readonly left: Answers }[];
}

export const NOTHING: Collected = { answers: [], refused: [], replaced: [] };

/** A file or a link that was handed in. */
export interface HandedIn {
  /** Of the file, or what a link is called. */
  readonly name: string;
  readonly text: string;
  readonly kind: "file" | "link";
}

/** Names of one student are written in one way or another: blanks and capitals do not tell two apart. */
const sameStudent = (name: string): string =>
  name.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();

/** Who answered what: a student without a name is told from others by what she saved and when. */
const keyOf = ({ lesson, student, saved }: Answers): string =>
  `${lesson.id} ${sameStudent(student) || `unnamed ${saved}`}`;

/** Takes in what was handed in; of one student the latest counts. */
export function takeIn(before: Collected, handedIn: readonly HandedIn[]): Collected {
  return handedIn.reduce(takeOne, before);
}

function takeOne(before: Collected, { name, text, kind }: HandedIn): Collected {
  const read: ReadAnswers = kind === "file" ? readAnswers(text) : readAnswersLink(text);
  if ("faults" in read) return { ...before, refused: [...before.refused, { name, faults: read.faults }] };
  const { answers } = read;
  const at = before.answers.findIndex((other) => keyOf(other) === keyOf(answers));
  const other = before.answers[at];
  if (!other) return { ...before, answers: [...before.answers, answers] };
  const isLater = Date.parse(answers.saved) > Date.parse(other.saved);
  const [kept, left] = isLater ? [answers, other] : [other, answers];
  return {
    ...before,
    answers: before.answers.map((one, place) => (place === at ? kept : one)),
    replaced: [...before.replaced, { kept, left }],
  };
}

/** The answers to a lesson as it is here, and those to another version of it, whose questions may be others. */
export function answersTo(
  lesson: Lesson,
  { id, hash }: LessonKey,
  { answers }: Collected,
): { readonly same: readonly Answers[]; readonly other: readonly Answers[] } {
  const all = answers.filter((one) => one.lesson.id === id);
  const isSame = (one: Answers) => one.lesson.hash === hash && fits(lesson, one);
  return { same: all.filter(isSame), other: all.filter((one) => !isSame(one)) };
}

/** Every answer is one that its question can have, and so is what happened. */
function fits(lesson: Lesson, { answers, challenges }: Answers): boolean {
  const isOf = (question: Question, said: Answer | Happened): boolean =>
    said.kind === "unknown" ||
    (said.kind === "none" && question.kind === "choice") ||
    (said.kind === "number" && question.kind === "number") ||
    (said.kind === "choice" && question.kind === "choice" && said.option < question.options.length) ||
    (said.kind === "curve" && question.kind === "curve" && said.values.length === question.points.length);
  const answered = Object.entries(answers).every(([at, { answer, judgement }]) => {
    const step = lesson.steps[Number(at)];
    if (step?.kind !== "predict") return false;
    return isOf(step.question, answer) && (!judgement || isOf(step.question, judgement.happened));
  });
  return answered && Object.keys(challenges).every((at) => lesson.steps[Number(at)]?.kind === "challenge");
}

/** How many gave which answer to the question of a step. */
export interface Distribution {
  readonly step: number;
  readonly question: Question;
  /** Who answered at all. */
  readonly answered: number;
  readonly unknown: number;
  readonly right: number;
  /** Whose run has not shown what happens. */
  readonly unjudged: number;
  /** Of a choice: how many chose each option. */
  readonly options: readonly number[];
  /** Of a number or a curve: what each said, one value per point. */
  readonly given: readonly (readonly number[])[];
  /** What happened in the run of each student, likewise. */
  readonly happened: readonly (readonly number[])[];
}

/** The numbers of an answer or of what happened: one, or one for each point of a curve. */
const numbersOf = (
  said: Extract<Answer | Happened, { readonly kind: "number" | "curve" }>,
): readonly number[] => (said.kind === "number" ? [said.value] : said.values);

/** What a class says to the question of a step; null where it asks none. */
export function distributionAt(lesson: Lesson, step: number, all: readonly Answers[]): Distribution | null {
  const asked = lesson.steps[step];
  if (asked?.kind !== "predict") return null;
  const { question } = asked;
  const given = all.flatMap(({ answers }) => answers[step] ?? []);
  const judged = given.flatMap(({ judgement }) => judgement ?? []);
  const options = question.kind === "choice" ? question.options.map(() => 0) : [];
  for (const { answer } of given) {
    if (answer.kind === "choice") options[answer.option] = (options[answer.option] ?? 0) + 1;
  }
  return {
    step,
    question,
    answered: given.length,
    unknown: given.filter(({ answer }) => answer.kind === "unknown").length,
    right: judged.filter(({ right }) => right).length,
    unjudged: given.length - judged.length,
    options,
    given: given.flatMap(({ answer }) =>
      answer.kind === "number" || answer.kind === "curve" ? [numbersOf(answer)] : [],
    ),
    happened: judged.flatMap(({ happened }) =>
      happened.kind === "choice" || happened.kind === "none" ? [] : [numbersOf(happened)],
    ),
  };
}

/** How many solved the challenge of a step. */
export function challengeAt(step: number, all: readonly Answers[]) {
  const tried = all.flatMap(({ challenges }) => challenges[step] ?? []);
  return {
    tried: tried.length,
    solved: tried.filter(({ solved }) => solved).length,
    shown: tried.filter(({ shown }) => shown).length,
    hints: tried.reduce((sum, { hints }) => sum + hints, 0),
  };
}

/** How a student is called: by her place among those who handed the lesson in, where names are hidden. */
export function studentTitle(one: Answers, among: readonly Answers[], named: boolean): string {
  if (named && one.student) return one.student;
  const ofLesson = among.filter(({ lesson }) => lesson.id === one.lesson.id);
  return `Student ${ofLesson.findIndex((other) => keyOf(other) === keyOf(one)) + 1}`;
}

/** A field of CSV (RFC 4180). What a spreadsheet would take for a formula is marked as text. */
function csvField(value: string | number): string {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A row for each student and scored step: what was said, what happened, whether it was right. */
export function csvOf(
  lesson: Lesson,
  all: readonly Answers[],
  title: (one: Answers) => string,
  named: boolean,
): string {
  const head = ["student", "seed", "saved", "step", "question", "answer", "happened", "right", "score", "of"];
  const rows = all.flatMap((one) => {
    const { points, of } = scoreOf(lesson, one);
    return lesson.steps.flatMap((step, at) => {
      if (!isScored(step)) return [];
      const [said, happened, right] = rowOf(one, at);
      const asked = step.kind === "predict" ? step.question.prompt : step.title;
      const seed = named || !Number.isNaN(Number(one.seed)) ? one.seed : "by name";
      return [[title(one), seed, one.saved, at + 1, asked, said, happened, right, points, of]];
    });
  });
  return [head, ...rows].map((row) => `${row.map(csvField).join(",")}\r\n`).join("");
}

/** What was said at a step, what happened, and whether it was right; options are counted from 1. */
function rowOf({ answers, challenges }: Answers, at: number): readonly [string, string, string] {
  const yes = (right: boolean | undefined) => (right === undefined ? "" : right ? "yes" : "no");
  const challenge = challenges[at];
  if (challenge) {
    const { solved, shown, hints } = challenge;
    return [shown ? "solution shown" : `${hints} hints`, "", yes(solved)];
  }
  const given = answers[at];
  if (!given) return ["", "", ""];
  const { answer, judgement } = given;
  const happened = judgement ? wordOf(judgement.happened) : "";
  return [wordOf(answer), happened, yes(judgement?.right)];
}

const wordOf = (said: Answer | Happened): string =>
  said.kind === "choice"
    ? String(said.option + 1)
    : said.kind === "unknown"
      ? "I don't know"
      : said.kind === "none"
        ? said.text
        : numbersOf(said).join(" ");
