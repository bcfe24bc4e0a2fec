import { createStore } from "zustand/vanilla";
import { type RunOutcome, RunPool } from "../../../engine/campaign/runPool.ts";
import type { Scenario } from "../../../scenario/types.ts";
import type { Answer, Judgement, LessonEngine, Told } from "../../../workbench/lesson/lesson.ts";
import { putSettings } from "../player.ts";

/** What a step says and what happens in it, under one seed. */
export interface KeyStep {
  readonly told: Told;
  /** Of somebody who does not know; null where nothing is asked. */
  readonly judgement: Judgement | null;
}

/**
 * What a lesson says before anything has run, for a sheet to write on: settings have their numbers, and for what runs give there is
 * a blank.
 */
export async function unsolved(play: LessonEngine, seed: number | null): Promise<readonly KeyStep[]> {
  const { lesson } = play;
  for (const { name } of lesson.runs) await putSettings(play, name, seed);
  return Promise.all(
    lesson.steps.map(async (step, at) => {
      const told = await play.told(at);
      const { question = null } = step.kind === "predict" ? step : {};
      const options = question?.kind === "choice" ? question.options.map(({ text }) => text) : [];
      const look = step.kind === "explore" ? step.look : [];
      return {
        told: {
          ...told,
          title: withBlanks(step.title, told.title),
          text: withBlanks(step.text, told.text),
          prompt: question && withBlanks(question.prompt, told.prompt ?? ""),
          options: options.map((text, option) => withBlanks(text, told.options[option] ?? "")),
          look: look.map((text, item) => withBlanks(text, told.look[item] ?? "")),
        },
        judgement: null,
      };
    }),
  );
}

const BLANK = "_____";

/** A text as it is told, with a blank where a number of the written one, in braces, has no value. */
export function withBlanks(written: string, told: string): string {
  const [first = "", ...words] = written.split(/\{[^{}]*\}/);
  if (words.length === 0) return told;
  let at = first.length;
  let text = told.slice(0, at);
  for (const [place, following] of words.entries()) {
    const isLast = place === words.length - 1;
    const end = isLast && following === "" ? told.length : told.indexOf(following, at);
    if (end < at) return told;
    const number = told.slice(at, end);
    text += (/^[…–]$/.test(number) ? BLANK : number) + following;
    at = end + following.length;
  }
  return text;
}

/** How far the runs of a key are. */
export interface KeyState {
  /** Share of the work that is done, 0 to 1. */
  readonly part: number;
  /** By the place of the step; null until all is there. */
  readonly steps: readonly KeyStep[] | null;
  readonly failure: string | null;
}

/** Somebody who wants to be told what happens. */
const UNKNOWN: Answer = { kind: "unknown" };

/** The right answers of a lesson: its runs are made here, under one seed, and the engine tells and judges by them. */
export class LessonKeyRuns {
  readonly store = createStore<KeyState>()(() => ({ part: 0, steps: null, failure: null }));
  private readonly waiting = new Map<
    string,
    { readonly scenarios: readonly Scenario[]; readonly summaries: (object | undefined)[] }
  >();
  private readonly pool: RunPool;
  private over = false;

  constructor(
    private readonly play: LessonEngine,
    private readonly seed: number | null,
    createPool: (ended: ConstructorParameters<typeof RunPool>[0]) => RunPool = (ended) => new RunPool(ended),
  ) {
    this.pool = createPool(({ id }, outcome) => void this.ended(id, outcome).catch(this.fail));
    this.pool.store.subscribe(({ part }) => this.store.setState({ part }));
    void this.begin().catch(this.fail);
  }

  /** Ends what is under way. */
  end(): void {
    this.over = true;
    this.pool.reset();
    this.play.end();
  }

  private async begin(): Promise<void> {
    const { lesson } = this.play;
    const names = new Set(lesson.steps.flatMap((_, at) => this.play.needs(at)));
    const runs = lesson.runs.map(({ name }) => name).filter((name) => names.has(name));
    for (const name of names) if (!runs.includes(name)) await this.play.model(name);
    for (const name of runs) {
      const scenarios = await this.play.scenarios(name, this.seed);
      this.waiting.set(name, { scenarios, summaries: scenarios.map(() => undefined) });
    }
    if (this.over) return;
    if (this.waiting.size === 0) return this.tell();
    this.pool.start(
      [...this.waiting].flatMap(([name, { scenarios }]) =>
        scenarios.map((scenario, at) => ({
          id: JSON.stringify([name, at]),
          scenario: JSON.stringify(scenario),
          traces: [],
        })),
      ),
    );
  }

  private async ended(id: string, outcome: RunOutcome): Promise<void> {
    if (this.over) return;
    if ("failure" in outcome) throw new Error(outcome.failure);
    const [name, at] = JSON.parse(id) as [string, number];
    const run = this.waiting.get(name);
    if (!run) return;
    run.summaries[at] = JSON.parse(outcome.json) as object;
    const summaries = run.summaries.filter((summary) => summary !== undefined);
    if (summaries.length < run.scenarios.length) return;
    this.waiting.delete(name);
    await this.play.put(name, summaries, run.scenarios);
    if (this.waiting.size === 0) await this.tell();
  }

  private async tell(): Promise<void> {
    const { lesson } = this.play;
    const steps = await Promise.all(
      lesson.steps.map(async ({ kind }, at) => ({
        told: await this.play.told(at),
        judgement: kind === "predict" ? await this.play.judge(at, UNKNOWN) : null,
      })),
    );
    if (!this.over) this.store.setState({ part: 1, steps });
  }

  private readonly fail = (error: unknown): void => {
    this.pool.reset();
    if (!this.over) this.store.setState({ failure: error instanceof Error ? error.message : String(error) });
  };
}
