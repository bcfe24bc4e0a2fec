import { decodeNamed, encodeNamed, fragmentOf } from "../../../scenario/codec.ts";
import type { Answer, Happened, Judgement } from "../../../workbench/lesson/lesson.ts";
import type {
  AnsweredQuestion,
  ChallengeRecord,
  LessonProgress,
} from "../../../workbench/lesson/progress.ts";

/** The version of the format that this page writes; docs/teaching.md describes it. */
const ANSWERS_VERSION = 1;

/** The name of the link that has them: `#answers=…`. */
export const ANSWERS_NAME = "answers";

/** Longest file or unpacked link that is read, in characters. Forty steps of curves have a tenth of it. */
export const ANSWERS_LIMIT = 500_000;

/** Letters of a student's name. */
export const STUDENT_LIMIT = 80;

/** A student's answers to one lesson, as she hands them in. */
export interface Answers {
  readonly qoscope: "answers";
  readonly version: number;
  readonly lesson: {
    readonly id: string;
    readonly title: string;
    /** Which version of the lesson was answered. */
    readonly hash: string;
  };
  readonly student: string;
  /** The seed of the runs, or the name that gives one; empty: that of the lesson. */
  readonly seed: string;
  /** When they were saved, ISO 8601 in UTC. */
  readonly saved: string;
  /** Steps that are done, from 0. */
  readonly done: readonly number[];
  readonly answers: LessonProgress["answers"];
  readonly challenges: LessonProgress["challenges"];
}

export const answersOf = (
  lesson: { readonly title: string },
  { id, hash, seed, done, answers, challenges }: LessonProgress,
  student: string,
  saved: Date,
): Answers => ({
  qoscope: "answers",
  version: ANSWERS_VERSION,
  lesson: { id, title: lesson.title, hash },
  student: student.trim().slice(0, STUDENT_LIMIT),
  seed,
  saved: saved.toISOString(),
  done,
  answers,
  challenges,
});

/** The fragment of a link to them. */
export const answersFragment = (answers: Answers): string =>
  encodeNamed(ANSWERS_NAME, JSON.stringify(answers));

/** Under which name they are saved: the lesson and the student. */
export function fileNameOf({ lesson, student }: Answers): string {
  const word = (text: string) =>
    text
      .normalize("NFC")
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Mark}\p{Number}]+/gu, "-")
      .replace(/^-|-$/g, "");
  return `${[word(lesson.id), word(student), "answers"].filter(Boolean).join("-")}.json`;
}

/** Answers, or everything that is wrong with what should be some. */
export type ReadAnswers = { readonly answers: Answers } | { readonly faults: readonly string[] };

/** Reads answers from a link, as it was pasted. */
export function readAnswersLink(link: string): ReadAnswers {
  const decoded = decodeNamed(ANSWERS_NAME, fragmentOf(link), ANSWERS_LIMIT);
  if (decoded.kind === "text") return readAnswers(decoded.text);
  const sentence =
    decoded.kind === "none" || decoded.kind === "json"
      ? "This is no link to answers: those have #answers= in them."
      : `${decoded.title}: ${decoded.sentence}`;
  return { faults: [sentence] };
}

/** Reads the text of a file. */
export function readAnswers(text: string): ReadAnswers {
  if (text.length > ANSWERS_LIMIT)
    return { faults: [`The file is too long: answers have at most ${ANSWERS_LIMIT} characters.`] };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { faults: [`The file is no JSON, or its end is missing: ${(error as Error).message}`] };
  }
  if (!isRecord(json) || json.qoscope !== "answers")
    return { faults: ['The file has no answers: those begin with "qoscope": "answers".'] };
  if (typeof json.version === "number" && json.version > ANSWERS_VERSION) {
    const sentence = `The answers are of format ${json.version}, this page knows ${ANSWERS_VERSION}. Reload the page to get the new version.`;
    return { faults: [sentence] };
  }
  const faults = faultsOf(json);
  return faults.length > 0 ? { faults } : { answers: json as unknown as Answers };
}

type Checked = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Checked =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === "string";
const isPlace = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;
const isNumbers = (value: unknown): value is number[] => Array.isArray(value) && value.every(Number.isFinite);

/** A check of one value at a path: what is wrong with it, each in a sentence. */
type Check = (path: string, value: unknown) => readonly string[];

const wants =
  (what: string, holds: (value: unknown) => boolean): Check =>
  (path, value) =>
    holds(value) ? [] : [`${path}: ${value === undefined ? "missing" : "wrong"}, it must be ${what}.`];

const text = wants("a text", isText);
const truth = wants("true or false", (value) => typeof value === "boolean");
const place = wants("a whole number from 0", isPlace);
const finite = wants("a number", Number.isFinite);
const curve = wants("a list of numbers", isNumbers);

/** Null, or what a check asks for. */
const nullOr =
  (check: Check): Check =>
  (path, value) =>
    value === null ? [] : check(path, value);

const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (path, value) =>
    isRecord(value)
      ? Object.entries(checks).flatMap(([name, check]) => check(path ? `${path}.${name}` : name, value[name]))
      : wants("an object", () => false)(path, value);

/** An object with a step's place as each name. */
const byStep =
  (check: Check): Check =>
  (path, value) =>
    isRecord(value)
      ? Object.entries(value).flatMap(([at, item]) =>
          /^\d{1,3}$/.test(at)
            ? check(`${path}[${at}]`, item)
            : [`${path}: “${at.slice(0, 24)}” is no place of a step.`],
        )
      : wants("an object", () => false)(path, value);

/** An object whose kind says what else it has. */
const oneOf =
  (kinds: Readonly<Record<string, Readonly<Record<string, Check>>>>): Check =>
  (path, value) => {
    const kind = isRecord(value) && isText(value.kind) ? value.kind : "";
    const checks = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    return checks
      ? fields(checks)(path, value)
      : [`${path}.kind: it must be one of ${Object.keys(kinds).join(", ")}.`];
  };

/** What each kind of answer has beside its kind. */
const KINDS = {
  choice: { option: place },
  number: { value: finite },
  curve: { values: curve },
  unknown: {},
} satisfies Record<Answer["kind"], Readonly<Record<string, Check>>>;

const answer = oneOf(KINDS);

/** What happened, likewise. */
const HAPPENED = {
  choice: { option: place, text },
  none: { text },
  number: { value: finite, text },
  curve: { values: curve },
} satisfies Record<Happened["kind"], Readonly<Record<string, Check>>>;

const judgement = fields({
  right: truth,
  distance: nullOr(text),
  happened: oneOf(HAPPENED),
  feedback: nullOr(text),
} satisfies Record<keyof Judgement, Check>);

const time = wants("a time in ISO 8601", (value) => isText(value) && !Number.isNaN(Date.parse(value)));

const answered = fields({
  answer,
  judgement: nullOr(judgement),
  at: time,
  seconds: finite,
} satisfies Record<keyof AnsweredQuestion, Check>);

const challenge = fields({
  solved: truth,
  hints: place,
  shown: truth,
} satisfies Record<keyof ChallengeRecord, Check>);

const faultsOf = (json: Checked): readonly string[] =>
  fields({
    version: wants("a whole number from 1", (value) => isPlace(value) && value > 0),
    lesson: fields({ id: text, title: text, hash: text }),
    student: wants(
      `a text of at most ${STUDENT_LIMIT} letters`,
      (value) => isText(value) && value.length <= STUDENT_LIMIT,
    ),
    seed: text,
    saved: time,
    done: wants("a list of places of steps", (value) => Array.isArray(value) && value.every(isPlace)),
    answers: byStep(answered),
    challenges: byStep(challenge),
  } satisfies Partial<Record<keyof Answers, Check>>)("", json);
