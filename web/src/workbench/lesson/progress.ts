import { createStore } from "zustand/vanilla";
import { crc32 } from "../../scenario/crc32.ts";
import { type Answer, isScored, type Judgement, type Lesson } from "./lesson.ts";

/**
 * What a learner has done, lesson by lesson. It is kept in this browser and nowhere else; files, the LMS and the page of the class
 * read it from here.
 */

/** An answer that was locked in. It is never changed. */
export interface AnsweredQuestion {
  readonly answer: Answer;
  /** Null until the run has shown what happens. */
  readonly judgement: Judgement | null;
  /** When it was locked in: ISO 8601, UTC. */
  readonly at: string;
  /** How long the question had been on the screen then, in seconds. */
  readonly seconds: number;
}

/** What became of a challenge. */
export interface ChallengeRecord {
  /** Met by the learner's own settings, before the solution was shown. */
  readonly solved: boolean;
  /** Hints that were read. */
  readonly hints: number;
  /** The solution was shown: it counts as not solved. */
  readonly shown: boolean;
}

export interface LessonProgress {
  /** Id of the lesson. */
  readonly id: string;
  /** Of its text, as {@link hashOf} has it: answers to another version of it are other answers. */
  readonly hash: string;
  /** The step that is shown, from 0. */
  readonly step: number;
  /** Steps that are done, by their places from 0: read, judged, solved or given up. */
  readonly done: readonly number[];
  /** By the place of the step. */
  readonly answers: Readonly<Record<number, AnsweredQuestion>>;
  /** By the place of the step. */
  readonly challenges: Readonly<Record<number, ChallengeRecord>>;
  /** The seed of its runs, or the name that gives one; empty: that of the scenarios. */
  readonly seed: string;
}

export interface ProgressState {
  /** By the id of the lesson. */
  readonly lessons: Readonly<Record<string, LessonProgress>>;
  /** Why nothing is kept in this browser; null where it is. */
  readonly unkept: string | null;
}

const KEY = "qoscope.learn";

const NEW_CHALLENGE: ChallengeRecord = { solved: false, hints: 0, shown: false };

/** A version of a lesson. */
export type LessonKey = Pick<LessonProgress, "id" | "hash">;

/** Tells one version of a lesson from another: eight hexadecimal digits of its document as it was written. */
export const hashOf = (document: object): string =>
  crc32(encodeURIComponent(JSON.stringify(document)))
    .toString(16)
    .padStart(8, "0");

/** Names a version of a lesson by its document. */
export const keyOf = <D extends { readonly id: string }>(document: D): LessonKey => ({
  id: document.id,
  hash: hashOf(document),
});

/** A lesson that nothing was done in. */
export const noProgress = ({ id, hash }: LessonKey, seed = ""): LessonProgress => ({
  id,
  hash,
  step: 0,
  done: [],
  answers: {},
  challenges: {},
  seed,
});

/** What a lesson's score is made of: right predictions and solved challenges, of all. */
export function scoreOf(
  { steps }: Pick<Lesson, "steps">,
  { answers, challenges }: Pick<LessonProgress, "answers" | "challenges">,
): { readonly points: number; readonly of: number } {
  const scored = steps.flatMap((step, at) => (isScored(step) ? [at] : []));
  const won = scored.filter((at) => answers[at]?.judgement?.right || challenges[at]?.solved);
  return { points: won.length, of: scored.length };
}

/** Every step is done. */
export const isDone = ({ steps }: Pick<Lesson, "steps">, { done }: Pick<LessonProgress, "done">): boolean =>
  steps.every((_, at) => done.includes(at));

/** Where progress is kept: the browser's own storage, or what an LMS keeps for a learner. */
export type Keeper = Pick<Storage, "getItem" | "setItem">;

/** The progress of all lessons, as it is kept. */
export class Progress {
  readonly store;

  constructor(private keeper: () => Keeper = () => localStorage) {
    this.store = createStore<ProgressState>()(() => this.read());
  }

  /** Keeps it elsewhere from now on, and goes on from what is kept there. */
  keepIn(keeper: Keeper): void {
    this.keeper = () => keeper;
    this.store.setState(this.read());
  }

  /** What was done in this version of a lesson under a seed. */
  of(lesson: LessonKey, seed = ""): LessonProgress {
    const kept = this.store.getState().lessons[lesson.id];
    return kept?.hash === lesson.hash && kept.seed === seed ? kept : noProgress(lesson, seed);
  }

  /** Notes which step is shown. */
  stand(lesson: LessonKey, seed: string, step: number): void {
    const before = this.of(lesson, seed);
    if (before.step !== step) this.put({ ...before, step });
  }

  /** A step is done. */
  finish(lesson: LessonKey, seed: string, step: number): void {
    const before = this.of(lesson, seed);
    if (!before.done.includes(step)) this.put(withDone(before, step));
  }

  /** Locks an answer in, unless one is. */
  answer(lesson: LessonKey, seed: string, step: number, answer: Answer, seconds = 0): void {
    const before = this.of(lesson, seed);
    if (before.answers[step]) return;
    const answered = { answer, judgement: null, at: new Date().toISOString(), seconds };
    this.put({ ...before, answers: { ...before.answers, [step]: answered } });
  }

  /** The run has shown what happens. The first judgement stays. */
  judge(lesson: LessonKey, seed: string, step: number, judgement: Judgement): void {
    const before = this.of(lesson, seed);
    const answered = before.answers[step];
    if (!answered || answered.judgement) return;
    const answers = { ...before.answers, [step]: { ...answered, judgement } };
    this.put(withDone({ ...before, answers }, step));
  }

  /** Something became of a challenge. One that was solved stays so, and one whose solution was shown is not solved any more. */
  challenge(lesson: LessonKey, seed: string, step: number, change: Partial<ChallengeRecord>): void {
    const before = this.of(lesson, seed);
    const was = before.challenges[step] ?? NEW_CHALLENGE;
    const next: ChallengeRecord = {
      hints: Math.max(was.hints, change.hints ?? 0),
      shown: was.shown || (!was.solved && (change.shown ?? false)),
      solved: was.solved || (!was.shown && (change.solved ?? false)),
    };
    if (JSON.stringify(next) === JSON.stringify(was)) return;
    const challenges = { ...before.challenges, [step]: next };
    const after = { ...before, challenges };
    this.put(next.solved || next.shown ? withDone(after, step) : after);
  }

  /** Begins a lesson anew: its answers are forgotten. */
  forget(lesson: LessonKey, seed = ""): void {
    this.put(noProgress(lesson, seed));
  }

  private put(lesson: LessonProgress): void {
    const lessons = { ...this.store.getState().lessons, [lesson.id]: lesson };
    this.store.setState({ lessons, unkept: this.write(lessons) });
  }

  private read(): ProgressState {
    try {
      return { lessons: lessonsIn(this.keeper().getItem(KEY)), unkept: null };
    } catch {
      return { lessons: {}, unkept: BLOCKED };
    }
  }

  private write(lessons: ProgressState["lessons"]): string | null {
    try {
      this.keeper().setItem(KEY, JSON.stringify(lessons));
      return null;
    } catch (error) {
      return error instanceof DOMException && error.name === "QuotaExceededError" ? FULL : BLOCKED;
    }
  }
}

const BLOCKED =
  "This browser keeps nothing for this page: your answers are lost when you close it. Save them as a file before that.";
const FULL =
  "The storage of this browser is full: your answers are lost when you close the page. Save them as a file before that.";

const withDone = (progress: LessonProgress, step: number): LessonProgress =>
  progress.done.includes(step)
    ? progress
    : { ...progress, done: [...progress.done, step].sort((a, b) => a - b) };

/** What is kept, of any origin: lessons that are none are passed over. */
function lessonsIn(json: string | null): ProgressState["lessons"] {
  let kept: unknown = null;
  try {
    kept = JSON.parse(json ?? "{}");
  } catch {
    // What is damaged is as if there were nothing.
  }
  if (typeof kept !== "object" || kept === null) return {};
  return Object.fromEntries(Object.entries(kept).filter(([id, item]) => isProgress(item) && item.id === id));
}

/** Whether something is the progress of a lesson, as files and the browser's storage have it. */
export function isProgress(item: unknown): item is LessonProgress {
  if (typeof item !== "object" || item === null) return false;
  const { id, hash, step, done, answers, challenges, seed } = item as Record<string, unknown>;
  const isPlace = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
  const isRecord = (value: unknown, isItem: (item: Record<string, unknown>) => boolean) =>
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((one) => typeof one === "object" && one !== null && isItem(one));
  return (
    [id, hash, seed].every((text) => typeof text === "string") &&
    isPlace(step) &&
    Array.isArray(done) &&
    done.every(isPlace) &&
    isRecord(
      answers,
      ({ answer, judgement, at, seconds }) =>
        isAnswer(answer) &&
        (judgement === null || typeof judgement === "object") &&
        typeof at === "string" &&
        typeof seconds === "number",
    ) &&
    isRecord(
      challenges,
      ({ solved, hints, shown }) =>
        typeof solved === "boolean" && typeof shown === "boolean" && isPlace(hints),
    )
  );
}

function isAnswer(item: unknown): item is Answer {
  if (typeof item !== "object" || item === null) return false;
  const { kind, option, value, values } = item as Record<string, unknown>;
  if (kind === "choice") return Number.isInteger(option);
  if (kind === "number") return Number.isFinite(value);
  if (kind === "curve") return Array.isArray(values) && values.every(Number.isFinite);
  return kind === "unknown";
}

/** The progress that the page keeps. */
export const progress = new Progress();

/** The lesson that is open, and the seed of its runs; null on the page of contents. */
export const openLessonStore = createStore<OpenedLesson | { readonly lesson: null }>()(() => ({
  lesson: null,
}));

export interface OpenedLesson {
  readonly lesson: Lesson;
  readonly key: LessonKey;
  /** As {@link LessonProgress.seed}. */
  readonly seed: string;
}
