import { createStore } from "zustand/vanilla";
import { SingleRuns } from "../../../engine/campaign/singleRuns.ts";
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

/** The runs of a key. */
export interface KeyState {
  /** Share of the work that is done, 0 to 1. */
  readonly part: number;
  /** Time from now on; null if not known. */
  readonly secondsLeft: number | null;
  /** By the place of the step; null until all is there. */
  readonly steps: readonly KeyStep[] | null;
  readonly failure: string | null;
}

/** Somebody who wants to be told what happens. */
const UNKNOWN: Answer = { kind: "unknown" };

/** The right answers of a lesson: its runs are made here, under one seed, and the engine tells and judges by them. */
export class LessonKeyRuns {
  readonly store = createStore<KeyState>()(() => ({
    part: 0,
    secondsLeft: null,
    steps: null,
    failure: null,
  }));
  private over = false;

  constructor(
    private readonly play: LessonEngine,
    private readonly seed: number | null,
    private readonly runs = new SingleRuns(),
  ) {
    runs.store.subscribe(({ part, secondsLeft }) => this.store.setState({ part, secondsLeft }));
    this.solve().catch((error) => {
      if (!this.over)
        this.store.setState({ failure: error instanceof Error ? error.message : String(error) });
    });
  }

  /** Ends what is under way. */
  end(): void {
    this.over = true;
    this.runs.end();
    this.play.end();
  }

  private async solve(): Promise<void> {
    const { lesson } = this.play;
    const names = new Set(lesson.steps.flatMap((_, at) => this.play.needs(at)));
    const runs = lesson.runs.map(({ name }) => name).filter((name) => names.has(name));
    for (const name of names) if (!runs.includes(name)) await this.play.model(name);
    const scenarios = await Promise.all(runs.map((name) => this.play.scenarios(name, this.seed)));
    if (this.over) return;
    const summaries = [...(await this.made(scenarios.flat()))];
    for (const [at, of] of scenarios.entries())
      await this.play.put(runs[at] as string, summaries.splice(0, of.length), of);
    const steps = await Promise.all(
      lesson.steps.map(async ({ kind }, at) => ({
        told: await this.play.told(at),
        judgement: kind === "predict" ? await this.play.judge(at, UNKNOWN) : null,
      })),
    );
    if (!this.over) this.store.setState({ part: 1, steps });
  }

  private async made(scenarios: readonly object[]): Promise<readonly object[]> {
    if (scenarios.length === 0) return [];
    await this.runs.run(scenarios);
    const { answer, sentence, diagnostics } = await this.runs.settled();
    if (!answer) throw new Error(sentence || diagnostics[0]?.reason);
    return answer;
  }
}
