import { createStore } from "zustand/vanilla";
import type { RunSummary } from "../run/repeats.ts";
import { withEngine } from "./module.ts";
import type { RunReply, RunRequest } from "./runProtocol.ts";

/** One run that is wanted. */
export interface RunJob extends RunRequest {
  readonly id: string;
  /** How much work it is beside the others, in events or any other measure; 1 where nobody knows. */
  readonly cost?: number;
}

/** What a run gave. */
export class RunResult {
  constructor(
    /** Its summary, as JSON. */
    readonly json: string,
    readonly events: number,
    /** How long the simulation took by itself. */
    readonly ms: number,
  ) {}

  get summary(): RunSummary {
    return JSON.parse(this.json);
  }
}

/** What became of a run: its result, or why there is none. */
export type RunOutcome = RunResult | { readonly failure: string };

/** How far the runs of a pool are. */
export interface RunPoolState {
  /** `done`: every run has ended, some of them with a failure. */
  readonly phase: "idle" | "running" | "done" | "cancelled";
  readonly wanted: number;
  /** Runs that have ended, those that failed among them. */
  readonly finished: number;
  readonly failed: number;
  /** Share of all the work that is done, from 0 to 1. */
  readonly part: number;
  readonly elapsedMs: number;
}

const IDLE: RunPoolState = { phase: "idle", wanted: 0, finished: 0, failed: 0, part: 0, elapsedMs: 0 };

/** Workers at most: each holds an engine of its own. */
const MAX_WORKERS = 8;

/** Runs side by side beside a run that is looked at: every core but the one that the page and its run need. */
export const workersOf = (cores: number): number => Math.max(1, Math.min(cores - 1, MAX_WORKERS));

/** Runs side by side where they are all that is waited for: every core. */
export const allWorkersOf = (cores: number): number => Math.max(1, Math.min(cores, MAX_WORKERS));

/** Cores of this machine. */
export const coresHere = (): number => navigator.hardwareConcurrency || 2;

const createRunWorker = (): Worker =>
  withEngine(new Worker(new URL("./runWorker.ts", import.meta.url), { type: "module", name: "qoscope run" }));

/**
 * Simulates scenarios to their end in a pool of workers, in the order in which they are wanted. A run that fails takes its worker
 * with it, since nothing of an engine can be trusted after a trap, and no other run.
 */
export class RunPool {
  readonly store = createStore<RunPoolState>()(() => IDLE);
  private readonly workers = new Set<Worker>();
  /** Those of them that wait for further runs. */
  private idle: Worker[] = [];
  /** The traces that each of them has been sent, by name. */
  private readonly traces = new WeakMap<Worker, Map<string, Uint8Array>>();
  private waiting: RunJob[] = [];
  /** Work done of each run under way, by its worker. */
  private readonly underWay = new Map<Worker, number>();
  private wantedCost = 0;
  private doneCost = 0;
  private startedMs = 0;

  constructor(
    /** Is told of each run that ends, in the order in which they do. */
    private readonly ended: (job: RunJob, outcome: RunOutcome) => void,
    private readonly createWorker: () => Worker = createRunWorker,
    /** Runs side by side, at most. */
    private readonly side: number = workersOf(coresHere()),
    /** Workers stay for runs that are wanted after all others have ended, until the pool is cancelled or forgets everything. */
    private readonly stay = false,
  ) {}

  /** Begins anew with these runs, whatever is under way. */
  start(jobs: readonly RunJob[]): void {
    this.reset();
    this.add(jobs);
  }

  /** Wants runs beside those that are under way. */
  add(jobs: readonly RunJob[]): void {
    if (jobs.length === 0) return;
    if (this.store.getState().phase !== "running") {
      this.forget();
      this.startedMs = performance.now();
    }
    this.waiting.push(...jobs);
    this.wantedCost += jobs.reduce((sum, { cost = 1 }) => sum + cost, 0);
    this.store.setState(({ wanted }) => ({
      phase: "running",
      wanted: wanted + jobs.length,
      part: this.part(),
    }));
    while (this.waiting.length > 0 && this.idle.length > 0) this.next(this.idle.pop() as Worker);
    while (this.waiting.length > 0 && this.workers.size < this.side) this.hire();
  }

  /** Takes back the runs that no worker has been given yet. */
  withdraw(): readonly RunJob[] {
    const back = this.waiting;
    this.waiting = [];
    this.wantedCost -= back.reduce((sum, { cost = 1 }) => sum + cost, 0);
    this.store.setState(({ wanted }) => ({ wanted: wanted - back.length, part: this.part() }));
    return back;
  }

  /** Ends what is under way. */
  cancel(): void {
    if (this.store.getState().phase !== "running") return;
    this.end();
    this.store.setState({ phase: "cancelled", elapsedMs: performance.now() - this.startedMs });
  }

  /** Forgets everything. */
  reset(): void {
    this.end();
    this.forget();
  }

  private forget(): void {
    this.wantedCost = 0;
    this.doneCost = 0;
    this.store.setState(IDLE);
  }

  private end(): void {
    for (const worker of [...this.workers]) this.dismiss(worker);
    this.idle = [];
    this.waiting = [];
  }

  private dismiss(worker: Worker): void {
    worker.terminate();
    this.workers.delete(worker);
    this.underWay.delete(worker);
  }

  private hire(): void {
    const worker = this.createWorker();
    this.workers.add(worker);
    this.next(worker);
  }

  /** Gives a worker the run that waits longest; where there is none, lets it wait or go. */
  private next(worker: Worker): void {
    const job = this.waiting.shift();
    if (!job) {
      if (this.stay) this.idle.push(worker);
      else this.dismiss(worker);
      return;
    }
    const { cost = 1 } = job;
    const end = (outcome: RunOutcome) => {
      this.underWay.delete(worker);
      if ("failure" in outcome) this.dismiss(worker);
      this.doneCost += cost;
      this.ended(job, outcome);
      this.count("failure" in outcome);
      if (this.workers.has(worker)) this.next(worker);
      else if (this.waiting.length > 0 && this.workers.size < this.side) this.hire();
    };
    worker.onmessage = ({ data }: MessageEvent<RunReply>) => {
      if (!this.workers.has(worker)) return;
      if (data.kind === "done") end(new RunResult(data.json, data.events, data.ms));
      else if (data.kind === "failed") end({ failure: data.sentence });
      else {
        this.underWay.set(worker, data.part * cost);
        this.store.setState({ part: this.part(), elapsedMs: performance.now() - this.startedMs });
      }
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (this.workers.has(worker)) end({ failure: event.message || "A worker ended by itself." });
    };
    const { scenario, mostEvents } = job;
    const traces = this.newTo(worker, job.traces);
    worker.postMessage({ scenario, traces, ...(mostEvents && { mostEvents }) } satisfies RunRequest);
  }

  /** Those of the traces that a worker has not been sent yet. */
  private newTo(worker: Worker, traces: RunJob["traces"]): RunJob["traces"] {
    const sent = this.traces.get(worker) ?? new Map();
    this.traces.set(worker, sent);
    return traces.filter(({ name, bytes }) => {
      const isNew = sent.get(name) !== bytes;
      sent.set(name, bytes);
      return isNew;
    });
  }

  private count(failed: boolean): void {
    if (this.store.getState().phase !== "running") return;
    this.store.setState((state) => ({
      finished: state.finished + 1,
      failed: state.failed + Number(failed),
      phase: state.finished + 1 === state.wanted ? "done" : "running",
      part: this.part(),
      elapsedMs: performance.now() - this.startedMs,
    }));
  }

  private part(): number {
    const sum = [...this.underWay.values()].reduce((total, one) => total + one, this.doneCost);
    return this.wantedCost > 0 ? Math.min(1, sum / this.wantedCost) : 0;
  }
}
