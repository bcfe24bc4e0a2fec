import type { Scenario } from "../../../scenario/types.ts";
import { EngineRefused } from "../../rpc/errors.ts";
import { withEngine } from "../../rpc/module.ts";
import { callOnce, connect, type WorkerClient } from "../../rpc/workerClient.ts";
import type { Answer, Changes, Judgement, Lesson, LessonQuestions, Told } from "./lessonProtocol.ts";

const lessonWorker = (): Worker =>
  withEngine(
    new Worker(new URL("./lessonWorker.ts", import.meta.url), { type: "module", name: "qoscope lesson" }),
    "figures",
  );

/**
 * A lesson in the hands of the engine, in a worker of its own: what is to be simulated, and what is told and judged of the results that have been
 * put.
 */
export class LessonEngine {
  constructor(
    private readonly asking: WorkerClient<LessonQuestions>,
    /** The lesson, its repetitions written out. */
    readonly lesson: Lesson,
    private readonly needed: readonly (readonly string[])[],
  ) {}

  /** The runs and models that a step speaks of, the run on the screen first. */
  needs(step: number): readonly string[] {
    return this.needed[step] ?? [];
  }

  /** What a run simulates: one scenario, or one for each value that it sweeps. Without a seed it is that of the scenario. */
  scenarios(run: string, seed: number | null, set?: Changes): Promise<readonly Scenario[]> {
    return this.asking.api.scenarios(run, seed, set ?? null);
  }

  /** Computes what a model gives, and keeps it. */
  async model(name: string): Promise<void> {
    await this.asking.api.model(name);
  }

  /** Keeps what scenarios of a run gave, in place of what it gave before. */
  async put(run: string, summaries: readonly object[], scenarios: readonly Scenario[]): Promise<void> {
    await this.asking.api.put(run, summaries, scenarios);
  }

  /** Keeps the result of the student's own settings at a step, by which its goals are judged. */
  async tryOut(step: number, summary: object, scenario: Scenario): Promise<void> {
    await this.asking.api.tryOut(step, summary, scenario);
  }

  async forgetTry(): Promise<void> {
    await this.asking.api.forgetTry();
  }

  told(step: number): Promise<Told> {
    return this.asking.api.told(step);
  }

  judge(step: number, answer: Answer): Promise<Judgement> {
    return this.asking.api.judge(step, answer);
  }

  end(): void {
    this.asking.end(new Error("the lesson was closed"));
  }
}

/**
 * Has the engine read a lesson and check it with the scenarios that it names, which `fetchScenario` gives. Rejects with
 * `EngineRefused` where anything is wrong, with everything that is.
 */
export async function openLesson(
  json: string,
  fetchScenario: (name: string) => Promise<unknown>,
  createWorker: () => Worker = lessonWorker,
): Promise<LessonEngine> {
  const asking = connect<LessonQuestions>(createWorker());
  try {
    const { lesson, scenarioNames } = await asking.api.lesson(json);
    const scenarios = scenarioNames.map(
      async (name) => [name, JSON.stringify(await fetchScenario(name))] as const,
    );
    const { diagnostics, needs } = await asking.api.check(await Promise.all(scenarios));
    if (diagnostics.length > 0) throw new EngineRefused(diagnostics);
    return new LessonEngine(asking, lesson, needs);
  } catch (error) {
    asking.end(new Error("the lesson was refused"));
    throw error;
  }
}

/** The seed that a student's name gives. */
export function seedOf(name: string, createWorker: () => Worker = lessonWorker): Promise<number> {
  return callOnce(connect<LessonQuestions>(createWorker()), (api) => api.seedOf(name));
}
