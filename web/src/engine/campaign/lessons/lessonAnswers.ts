import { Lesson, seedOf } from "../../../generated/wasm/qoscope_tools_wasm.js";
import type { LessonQuestions } from "./lessonProtocol.ts";

/** What the engine answers of the one lesson that it has been given. */

/** Null before it is asked for. */
let lesson: Lesson | null = null;

function taken(): Lesson {
  if (!lesson) throw new Error("no lesson has been opened");
  return lesson;
}

export const LESSON_ANSWERS: LessonQuestions = {
  lesson(json) {
    lesson = new Lesson(json);
    return { lesson: JSON.parse(lesson.document()), scenarioNames: JSON.parse(lesson.scenarioNames()) };
  },
  check(scenarios) {
    for (const [name, json] of scenarios) taken().give(name, json);
    return { diagnostics: JSON.parse(taken().check()), needs: JSON.parse(taken().needs()) };
  },
  scenarios(run, seed, set) {
    return JSON.parse(taken().scenarios(run, seed ?? undefined, set ? JSON.stringify(set) : undefined));
  },
  model(name) {
    taken().compute(name);
    return null;
  },
  put(run, summaries, scenarios) {
    taken().put(run, JSON.stringify(summaries), JSON.stringify(scenarios));
    return null;
  },
  tryOut(step, summary, scenario) {
    taken().tryOut(step, JSON.stringify(summary), JSON.stringify(scenario));
    return null;
  },
  forgetTry() {
    taken().forgetTry();
    return null;
  },
  told: (step) => JSON.parse(taken().told(step)),
  judge: (step, answer) => JSON.parse(taken().judge(step, JSON.stringify(answer))),
  seedOf,
};
