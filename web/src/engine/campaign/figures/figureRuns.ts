import { createStore } from "zustand/vanilla";
import type { FigureNeed, FigureRow } from "../../../generated/answers.d.ts";
import type { RunSummary } from "../../../run/repeats.ts";
import { coresHere, RunPool, workersOf } from "../runPool.ts";

/** A figure in the engine's hands: what it needs, and what follows from what has come. */
export interface FigureEngine {
  readonly needs: readonly FigureNeed[];
  /** The scenarios of a run under a seed: one, or one for every value that it sweeps. */
  scenarios(run: string, seed: number): Promise<readonly object[]>;
  /** Keeps what the scenarios of a run gave under one seed. */
  put(run: string, seed: number, summaries: readonly object[]): Promise<void>;
  /** Computes its models. */
  models(): Promise<void>;
  /** The rows as far as the seeds reach. */
  rows(): Promise<readonly (FigureRow | null)[]>;
  /** Of all results; null before they are there. */
  digest(): Promise<string | null>;
  end(): void;
}

/** What becomes of a figure that is run again. */
export interface FigureRun {
  readonly phase: "waiting" | "running" | "done" | "cancelled" | "failed";
  /** As far as the seeds reach; empty before two of a run have ended. */
  readonly rows: readonly (FigureRow | null)[];
  readonly wanted: number;
  readonly finished: number;
  readonly digest: string | null;
  /** Why it failed. */
  readonly sentence: string;
}

export interface FigureRunsState {
  readonly figures: Readonly<Record<string, FigureRun>>;
  /** Figures that are run together, in their order; empty while nothing goes on. */
  readonly asked: readonly string[];
  /** Share of the work of all of them that is done. */
  readonly part: number;
  /** Time that they will take from now on; null while nobody knows. */
  readonly leftMs: number | null;
  /** Events in a second that one worker simulates on this machine; null before it was measured. */
  readonly eventsPerSecond: number | null;
}

/** A figure that is wanted: its file as text, and the events of all its runs when they were made last. */
export interface FigureWish {
  readonly id: string;
  readonly json: string;
  readonly events: number;
}

/** The runs of a seed, in the order of their scenarios, and where a summary of them goes. */
interface Batch {
  readonly run: string;
  readonly seed: number;
  readonly summaries: (RunSummary | undefined)[];
}
interface Place {
  readonly batch: Batch;
  readonly of: number;
}

const WAITING: FigureRun = { phase: "waiting", rows: [], wanted: 0, finished: 0, digest: null, sentence: "" };
const IDLE = { asked: [], part: 0, leftMs: null } as const;

const underWay = ({ phase }: FigureRun): boolean => phase === "waiting" || phase === "running";

/**
 * Runs figures again, one after the other: every run under every seed in a pool of workers, the first seeds of all runs first, so
 * that rows fill in early. Runs that figures share are made once. It lives as long as the page, whatever that shows.
 */
export class FigureRuns {
  readonly store = createStore<FigureRunsState>()(() => ({ ...IDLE, figures: {}, eventsPerSecond: null }));
  /** Ends all that is under way. */
  private stop = new AbortController();
  /** What this machine was measured by. */
  private measured = { events: 0, ms: 0 };

  constructor(
    private readonly open: (json: string) => Promise<FigureEngine>,
    private readonly createWorker?: ConstructorParameters<typeof RunPool>[1],
    private readonly side: number = workersOf(coresHere()),
  ) {}

  /** How long figures with so many events take on this machine; null while nobody knows. */
  estimateMs(events: number): number | null {
    const { eventsPerSecond } = this.store.getState();
    return eventsPerSecond === null ? null : (1000 * events) / (eventsPerSecond * this.side);
  }

  /** Measures this machine with a run of a scenario, where no run has done so before. */
  calibrate(scenario: object): void {
    const { asked, eventsPerSecond } = this.store.getState();
    if (eventsPerSecond !== null || asked.length > 0) return;
    const pool = this.pool(() => {});
    pool.start([{ id: "calibration", scenario: JSON.stringify(scenario), traces: [] }]);
  }

  /** Runs figures; what was under way before ends. What others have found out stays. */
  start(wishes: readonly FigureWish[]): void {
    this.cancel();
    this.stop = new AbortController();
    this.store.setState(({ figures }) => ({
      asked: wishes.map(({ id }) => id),
      part: 0,
      leftMs: this.estimateMs(wishes.reduce((sum, { events }) => sum + events, 0)),
      figures: { ...figures, ...Object.fromEntries(wishes.map(({ id }) => [id, WAITING])) },
    }));
    void this.runAll(wishes, this.stop.signal);
  }

  /** Ends what is under way and keeps what is done. */
  cancel(): void {
    this.stop.abort();
    this.store.setState(({ figures }) => ({
      ...IDLE,
      figures: Object.fromEntries(
        Object.entries(figures).map(([id, run]) => [
          id,
          underWay(run) ? { ...run, phase: "cancelled" } : run,
        ]),
      ),
    }));
  }

  private async runAll(wishes: readonly FigureWish[], stopped: AbortSignal): Promise<void> {
    const all = wishes.reduce((sum, { events }) => sum + events, 0);
    /** Summaries by the text of their scenario, while figures that may share them are still to come. */
    const known = new Map<string, RunSummary>();
    let done = 0;
    for (const wish of wishes) {
      const tell = (part: number) => {
        const events = done + part * wish.events;
        this.store.setState({ part: all > 0 ? events / all : 0, leftMs: this.estimateMs(all - events) });
      };
      try {
        await this.runOne(wish, known, tell, stopped);
      } catch (error) {
        if (stopped.aborted) return;
        this.set(wish.id, {
          phase: "failed",
          sentence: error instanceof Error ? error.message : String(error),
        });
      }
      if (stopped.aborted) return;
      done += wish.events;
      tell(0);
    }
    this.store.setState(IDLE);
  }

  /** Rejects where a run of the figure fails, or when it is stopped. */
  private async runOne(
    { id, json, events }: FigureWish,
    known: Map<string, RunSummary>,
    tell: (part: number) => void,
    stopped: AbortSignal,
  ): Promise<void> {
    this.set(id, { phase: "running" });
    const engine = await this.open(json);
    try {
      await engine.models();
      const { batches, places } = await layOut(engine, stopped);
      const wanted = batches.reduce((sum, { summaries }) => sum + summaries.length, 0);
      this.set(id, { wanted });
      /** Hands over a summary, and asks for the rows where that completed the runs of a seed. */
      const put = async (text: string, summary: RunSummary) => {
        const own = places.get(text) ?? [];
        for (const { batch, of } of own) {
          batch.summaries[of] = summary;
          if (batch.summaries.some((item) => item === undefined)) continue;
          await engine.put(batch.run, batch.seed, batch.summaries as RunSummary[]);
        }
        stopped.throwIfAborted();
        known.set(text, summary);
        const { finished } = this.run(id);
        this.set(id, { finished: finished + own.length, rows: await engine.rows() });
      };
      const shared = [...places.keys()].flatMap((text) => {
        const summary = known.get(text);
        return summary ? [{ text, summary }] : [];
      });
      for (const { text, summary } of shared) await put(text, summary);
      const texts = [...places.keys()].filter((text) => !known.has(text));
      const begin = wanted > 0 ? 1 - texts.length / places.size : 1;
      await this.simulate(texts, events, put, (part) => tell(begin + part * (1 - begin)), stopped);
      const [rows, digest] = [await engine.rows(), await engine.digest()];
      stopped.throwIfAborted();
      this.set(id, { rows, digest, phase: "done" });
    } finally {
      engine.end();
    }
  }

  /** Simulates scenarios, given as texts; what follows from each is done before the last one counts as ended. */
  private simulate(
    texts: readonly string[],
    events: number,
    put: (text: string, summary: RunSummary) => Promise<void>,
    tell: (part: number) => void,
    stopped: AbortSignal,
  ): Promise<void> {
    if (texts.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      let puts = Promise.resolve();
      const pool = this.pool(({ id }, summary) => {
        puts = puts.then(() => put(id, summary));
        puts.catch(fail);
      }, fail);
      const unsubscribe = pool.store.subscribe(({ phase, part }) => {
        tell(part);
        if (phase === "done") puts.then(() => leave(resolve), fail);
      });
      const leave = (go: () => void) => {
        unsubscribe();
        stopped.removeEventListener("abort", abort);
        pool.reset();
        go();
      };
      function fail(reason: unknown) {
        leave(() => reject(reason instanceof Error ? reason : new Error(String(reason))));
      }
      const abort = () => fail(stopped.reason);
      stopped.addEventListener("abort", abort);
      const cost = events / texts.length;
      pool.start(texts.map((text) => ({ id: text, scenario: text, traces: [], cost })));
    });
  }

  /** A pool whose runs measure this machine. */
  private pool(
    ended: (job: { readonly id: string }, summary: RunSummary) => void,
    failed: (sentence: string) => void = () => {},
  ): RunPool {
    return new RunPool(
      (job, outcome) => {
        if ("failure" in outcome) {
          failed(outcome.failure);
          return;
        }
        this.measured.events += outcome.events;
        this.measured.ms += outcome.ms;
        const { events, ms } = this.measured;
        if (events > 0 && ms > 0) this.store.setState({ eventsPerSecond: (1000 * events) / ms });
        ended(job, JSON.parse(outcome.json));
      },
      this.createWorker,
      this.side,
    );
  }

  private run(id: string): FigureRun {
    return this.store.getState().figures[id] ?? WAITING;
  }

  private set(id: string, part: Partial<FigureRun>): void {
    const run = { ...this.run(id), ...part };
    this.store.setState(({ figures }) => ({ figures: { ...figures, [id]: run } }));
  }
}

/** The runs of a figure, the first seeds of all of them first, and where the summary of each scenario goes, by its text. */
async function layOut(engine: FigureEngine, stopped: AbortSignal) {
  const { needs } = engine;
  const batches: Batch[] = [];
  const places = new Map<string, Place[]>();
  const seeds = Math.max(0, ...needs.map((need) => need.seeds));
  for (let seed = 1; seed <= seeds; seed++) {
    for (const { run } of needs.filter((need) => seed <= need.seeds)) {
      const scenarios = await engine.scenarios(run, seed);
      stopped.throwIfAborted();
      const batch: Batch = { run, seed, summaries: scenarios.map(() => undefined) };
      batches.push(batch);
      for (const [of, scenario] of scenarios.entries()) {
        const text = JSON.stringify(scenario);
        places.set(text, [...(places.get(text) ?? []), { batch, of }]);
      }
    }
  }
  return { batches, places };
}
