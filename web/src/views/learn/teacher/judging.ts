import type { Judgement } from "../../../workbench/lesson/lesson.ts";
import { openPlay, seedNumber } from "../opening.ts";
import type { Answers } from "./answersFile.ts";
import { LessonKeyRuns } from "./lessonKey.ts";

/** Lets a lesson's answers be judged under one seed after another, each under its own. */
export interface Judging {
  readonly done: Promise<readonly Answers[]>;
  cancel(): void;
}

/** What a class's answers are judged by. */
export class Cancelled extends Error {}

/**
 * Judges answers by runs made here, each under the seed of its student: then nothing depends on what the files say of themselves.
 * Tells how far it is, from 0 to 1.
 */
export function judgeHere(json: string, all: readonly Answers[], tell: (part: number) => void): Judging {
  let under: LessonKeyRuns | null = null;
  let over = false;
  const seeds = [...new Set(all.map(({ seed }) => seed))];
  const judged = async (): Promise<readonly Answers[]> => {
    const found = new Map<Answers, Answers>();
    for (const [at, seed] of seeds.entries()) {
      const play = await openPlay(json);
      const runs = new LessonKeyRuns(play, await seedNumber(seed));
      under = runs;
      try {
        if (over) throw new Cancelled();
        await ended(runs, (part) => tell((at + part) / seeds.length));
        for (const answers of all.filter((one) => one.seed === seed)) {
          const judge = async (step: string, one: Answers["answers"][number]) =>
            [step, { ...one, judgement: (await play.judge(Number(step), one.answer)) as Judgement }] as const;
          const judgedOnes = await Promise.all(
            Object.entries(answers.answers).map(([step, one]) => judge(step, one)),
          );
          found.set(answers, { ...answers, answers: Object.fromEntries(judgedOnes) });
        }
      } finally {
        runs.end();
      }
    }
    return all.map((answers) => found.get(answers) ?? answers);
  };
  /** Calls a wait off. */
  let callOff: (error: Cancelled) => void = () => {};
  const ended = (runs: LessonKeyRuns, told: (part: number) => void) =>
    new Promise<void>((resolve, reject) => {
      callOff = reject;
      const look = () => {
        const { part, steps, failure } = runs.store.getState();
        told(part);
        if (failure !== null) reject(new Error(failure));
        else if (steps) resolve();
      };
      runs.store.subscribe(look);
      look();
    });
  return {
    done: judged(),
    cancel() {
      over = true;
      under?.end();
      callOff(new Cancelled());
    },
  };
}
