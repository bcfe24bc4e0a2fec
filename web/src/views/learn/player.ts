import { createStore } from "zustand/vanilla";
import { RunPool } from "../../engine/campaign/runPool.ts";
import { createSession, type Session } from "../../engine/run/session.ts";
import { usualSpeed } from "../../engine/run/speed.ts";
import { createScenarioStore } from "../../scenario/store.ts";
import type { Scenario } from "../../scenario/types.ts";
import { prefersReducedMotion } from "../../ui/media.ts";
import type {
  Answer,
  Control,
  Judgement,
  LessonEngine,
  LessonStep,
  Told,
} from "../../workbench/lesson/lesson.ts";

/** What the player shows. */
export interface PlayerState {
  /** The step that is shown, from 0. */
  readonly step: number;
  /** Its texts; null until the engine has told them. */
  readonly told: Told | null;
  /** The run on the screen, and before it that which it is compared with. */
  readonly sessions: readonly Session[];
  /** The step that they are of: until the next one has its own, those of the one before stay on the screen. */
  readonly presented: number;
  /** All results that the step speaks of are there. */
  readonly isComplete: boolean;
  /** Runs of the step that are still computed. */
  readonly missing: number;
  /** Why a result does not come; null where all do. */
  readonly failure: string | null;
}

interface Result {
  readonly summaries: readonly object[];
  readonly scenarios: readonly Scenario[];
}

type Pool = Pick<RunPool, "add" | "reset">;
type Ended = ConstructorParameters<typeof RunPool>[0];

/** A run that waits for its summaries. */
interface Wanted {
  readonly scenarios: readonly Scenario[];
  readonly summaries: (object | undefined)[];
}

const NOTHING = { scenarios: [], summaries: [] };

/** A step whose run the student starts, after a prediction. */
const waits = ({ kind }: LessonStep): boolean => kind === "predict" || kind === "compare";

const controlsOf = (step: LessonStep): readonly Control[] =>
  step.kind === "explore" || step.kind === "challenge" ? step.controls : [];

/**
 * Takes a lesson: brings the run of a step to the screen, in a session of its own, simulates in the background what else the step speaks
 * of, and has the engine tell and judge by the results.
 */
export class Player {
  readonly store = createStore<PlayerState>()(() => ({
    step: -1,
    told: null,
    sessions: [],
    presented: -1,
    isComplete: false,
    missing: 0,
    failure: null,
  }));
  private readonly results = new Map<string, Result>();
  private readonly wanted = new Map<string, Wanted>();
  private readonly pool: Pool;
  /** What the sessions are for that are on the screen, or come to it next. */
  private shown = "";
  /** What those on the screen are for: others may be on their way. */
  private onScreen = "";
  private over = false;

  constructor(
    readonly play: LessonEngine,
    private readonly seed: number | null,
    private readonly createStepSession: typeof stepSession = stepSession,
    createPool: (ended: Ended) => Pool = (ended) => new RunPool(ended),
    /** What runs give is told nowhere: their settings alone are. */
    private readonly isWithheld = false,
  ) {
    this.pool = createPool(({ id }, outcome) => {
      if ("failure" in outcome) this.store.setState({ failure: outcome.failure });
      else void this.summed(id, JSON.parse(outcome.json));
    });
  }

  /** The run on the screen at a step, by its name: its own, or that of the last step before it that has one. */
  runOf(step: number): string | null {
    const { steps, runs } = this.play.lesson;
    for (const item of steps.slice(0, step + 1).reverse()) {
      if (item.kind === "compare") return item.runs.at(-1) ?? null;
      if (item.run != null) return item.run;
    }
    return runs[0]?.name ?? null;
  }

  /**
   * Whether the run of a step stays still: what was predicted, and what is told after it, would show what is withheld. What is to be
   * explored, or solved, asks for a run.
   */
  holdsBack(step: number): boolean {
    const kinds = this.play.lesson.steps.slice(0, step + 1).map(({ kind }) => kind);
    const kind = kinds.at(-1);
    return this.isWithheld && kind !== "explore" && kind !== "challenge" && kinds.includes("predict");
  }

  /** Shows a step. `isOver`: its run was seen before, and is shown at its end. */
  async show(step: number, isOver: boolean): Promise<void> {
    const item = this.play.lesson.steps[step];
    if (!item || this.over) return;
    const { step: before } = this.store.getState();
    this.store.setState({ step, told: null, isComplete: false, failure: null });
    // What was tried in a challenge is no result of the lesson.
    try {
      if (before !== step) await this.play.forgetTry();
      await this.retell();
      await this.present(step, item, isOver);
    } catch (error) {
      this.fail(error);
    }
    this.provide(step);
    if (step + 1 < this.play.lesson.steps.length) this.provide(step + 1);
  }

  /** Brings the runs of a step to the screen. A step to read goes on with the run that is there. */
  private async present(step: number, item: LessonStep, isOver: boolean): Promise<void> {
    const run = this.runOf(step);
    const names = item.kind === "compare" ? item.runs : run === null ? [] : [run];
    const own = item.kind === "read" ? "" : ` ${step}`;
    const key = `${names.join()}${own}`;
    const before = this.store.getState().sessions;
    const goesOn =
      item.kind === "read" &&
      before.length === 1 &&
      this.onScreen.split(" ")[0] === names[0] &&
      !this.isChanged(before[0]);
    if (goesOn || this.onScreen === key) {
      // What was about to come to the screen for another step does not.
      this.shown = this.onScreen;
      this.store.setState({ presented: step });
      return;
    }
    if (this.shown === key) return;
    this.shown = key;
    const scenarios = await Promise.all(names.map((name) => this.play.scenarios(name, this.seed)));
    if (this.over || this.shown !== key) return;
    const controls = controlsOf(item);
    const sessions = scenarios.flatMap(([scenario]) =>
      scenario
        ? [
            this.createStepSession(scenario, {
              free: controls.map(({ path }) => path),
              restarts: item.kind === "challenge",
              start: isOver ? "end" : waits(item) || this.holdsBack(step) ? "wait" : "play",
            }),
          ]
        : [],
    );
    this.onScreen = key;
    this.store.setState({ sessions, presented: step });
    for (const session of before) session.end();
  }

  private isChanged = (session: Session | undefined): boolean =>
    session !== undefined && session.store.getState().history.past.length > 0;

  /** Has everything computed that a step speaks of. */
  private provide(step: number): void {
    for (const name of this.play.needs(step)) {
      if (this.has(name) || this.wanted.has(name)) continue;
      this.wanted.set(name, NOTHING);
      if (this.isWithheld) void this.withhold(name);
      else void (this.isRun(name) ? this.simulate(name) : this.compute(name));
    }
    this.count();
  }

  private async compute(model: string): Promise<void> {
    try {
      await this.play.model(model);
      this.results.set(model, NOTHING);
      await this.retell();
    } catch (error) {
      this.fail(error);
    }
  }

  private async withhold(name: string): Promise<void> {
    if (!this.isRun(name)) return;
    try {
      this.results.set(name, await putSettings(this.play, name, this.seed));
      await this.retell();
    } catch (error) {
      this.fail(error);
    }
  }

  private async simulate(name: string): Promise<void> {
    try {
      const scenarios = await this.play.scenarios(name, this.seed);
      if (this.over) return;
      this.wanted.set(name, { scenarios, summaries: scenarios.map(() => undefined) });
      this.pool.add(
        scenarios.map((scenario, i) => ({
          id: `${name} ${i}`,
          scenario: JSON.stringify(scenario),
          traces: [],
        })),
      );
    } catch (error) {
      this.fail(error);
    }
  }

  /** One of the scenarios of a run has come to its end. */
  private async summed(id: string, summary: object): Promise<void> {
    const [name = "", place] = id.split(" ");
    const wanted = this.wanted.get(name);
    if (!wanted || this.over) return;
    wanted.summaries[Number(place)] = summary;
    const summaries = wanted.summaries.flatMap((item) => item ?? []);
    if (summaries.length < wanted.scenarios.length) return;
    this.wanted.delete(name);
    const { scenarios } = wanted;
    this.results.set(name, { summaries, scenarios });
    await this.play.put(name, summaries, scenarios);
    await this.retell();
  }

  /** Keeps the result of the student's own run of a step, and updates its goals. */
  async tryOut(step: number, summary: object, scenario: Scenario): Promise<Told | null> {
    if (this.over || this.store.getState().step !== step) return null;
    await this.play.tryOut(step, summary, scenario);
    await this.retell();
    return this.store.getState().step === step ? this.store.getState().told : null;
  }

  judge = (step: number, answer: Answer): Promise<Judgement> => this.play.judge(step, answer);

  private async retell(): Promise<void> {
    const { step } = this.store.getState();
    if (this.over || step < 0) return;
    try {
      const told = await this.play.told(step);
      if (this.over || this.store.getState().step !== step) return;
      this.store.setState({ told });
      this.count();
    } catch (error) {
      this.fail(error);
    }
  }

  private count(): void {
    const { step } = this.store.getState();
    const missing = this.play.needs(step).filter((name) => !this.has(name)).length;
    this.store.setState({ missing, isComplete: missing === 0 });
  }

  private fail = (error: unknown): void => {
    if (!this.over) this.store.setState({ failure: error instanceof Error ? error.message : String(error) });
  };

  private has = (name: string): boolean => this.results.has(name);

  private isRun = (name: string): boolean => this.play.lesson.runs.some((run) => run.name === name);

  end(): void {
    this.over = true;
    this.pool.reset();
    for (const session of this.store.getState().sessions) session.end();
    this.play.end();
  }
}

/** Has a lesson know what a run sets, and nothing of what it gives. */
export async function putSettings(
  play: Pick<LessonEngine, "scenarios" | "put">,
  run: string,
  seed: number | null,
): Promise<Result> {
  const scenarios = await play.scenarios(run, seed);
  const summaries = scenarios.map(() => ({}));
  await play.put(run, summaries, scenarios);
  return { summaries, scenarios };
}

/** How the run of a step begins. */
interface StepStart {
  /** Paths of the fields that can be changed. */
  readonly free: readonly string[];
  /** What is changed holds from the start of the run on. */
  readonly restarts: boolean;
  /** It waits at its start, plays, or is brought to its end. */
  readonly start: "wait" | "play" | "end";
}

/** A run of its own for a step, in which nothing but what the step leaves free can be changed. */
function stepSession(scenario: Scenario, { free, restarts, start }: StepStart): Session {
  const reducedMotion = prefersReducedMotion();
  const session = createSession(createScenarioStore(scenario), {
    reducedMotion,
    restarts,
    lock: { all: true, locked: [], free },
  });
  session.beginAt(scenario, start === "end" ? scenario.durationUs : 0);
  session.setSpeed(usualSpeed(scenario.durationUs));
  if (start === "play") playThrough(session);
  return session;
}

/** Plays a run; where nothing is to move it is brought to its end. */
export function playThrough(session: Session): void {
  if (prefersReducedMotion()) session.seek(session.scenario.durationUs);
  else session.play();
}
