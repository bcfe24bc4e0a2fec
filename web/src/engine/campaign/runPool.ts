import { proxy } from "comlink";
import { createStore } from "zustand/vanilla";
import { sentenceOf } from "../rpc/errors.ts";
import { withEngine } from "../rpc/module.ts";
import { connect, type WorkerClient } from "../rpc/workerClient.ts";
import type { RunApi, RunRequest, RunResult } from "./runProtocol.ts";

/** One run that is wanted. */
export interface RunJob extends RunRequest {
  readonly id: string;
  /** How much work it is beside the others, in events or any other measure; 1 where nobody knows. */
  readonly cost?: number;
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

/** Runs that take less than this are given to a worker before it has ended the one before: they would wait for the page between them. */
const SHORT_MS = 1000;

/** Why runs of a worker that the pool ends have no outcome. */
const ENDED = new Error("The pool has ended its worker");

/** A worker, and the runs that it has been given: the first is under way. */
interface Hand {
  readonly worker: WorkerClient<RunApi>;
  readonly jobs: RunJob[];
  /** The traces that it has been sent, by name. */
  readonly traces: Map<string, Uint8Array>;
  /** Share of the run under way that is done. */
  part: number;
  /** Its last run was a short one. */
  isQuick: boolean;
}

const createRunWorker = (): WorkerClient<RunApi> =>
  connect(
    withEngine(
      new Worker(new URL("./runWorker.ts", import.meta.url), { type: "module", name: "qoscope run" }),
    ),
  );

/**
 * Simulates scenarios to their end in a pool of workers, in the order in which they are wanted. A run that fails takes its worker
 * with it, since nothing of an engine can be trusted after a trap, and no other run.
 */
export class RunPool {
  readonly store = createStore<RunPoolState>()(() => IDLE);
  private hands: Hand[] = [];
  private waiting: RunJob[] = [];
  private wantedCost = 0;
  private doneCost = 0;
  private startedMs = 0;

  constructor(
    /** Is told of each run that ends, in the order in which they do. */
    private readonly ended: (job: RunJob, outcome: RunOutcome) => void,
    private readonly createWorker: () => WorkerClient<RunApi> = createRunWorker,
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
    this.deal();
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
    for (const { worker } of this.hands) worker.end(ENDED);
    this.hands = [];
    this.waiting = [];
  }

  private dismiss(hand: Hand): void {
    hand.worker.end(ENDED);
    this.hands = this.hands.filter((item) => item !== hand);
    // What it had not begun is for others.
    this.waiting.unshift(...hand.jobs);
  }

  /** Gives out the runs that wait: to workers that have none, to new ones, and ahead where that helps. */
  private deal(): void {
    while (this.waiting.length > 0) {
      const free = this.hands.find(({ jobs }) => jobs.length === 0);
      const hand = free ?? (this.hands.length < this.side ? this.hire() : this.quick());
      if (!hand) return;
      this.give(hand, this.waiting.shift() as RunJob);
    }
  }

  private hire(): Hand {
    const worker = this.createWorker();
    const hand: Hand = { worker, jobs: [], traces: new Map(), part: 0, isQuick: false };
    this.hands.push(hand);
    const onPart = (part: number) => {
      if (!this.hands.includes(hand)) return;
      hand.part = part;
      this.store.setState({ part: this.part(), elapsedMs: performance.now() - this.startedMs });
    };
    worker.api.reportTo(proxy(onPart)).catch(() => {});
    return hand;
  }

  /** A worker whose next run may wait at its side; none while others could begin it sooner. */
  private quick(): Hand | undefined {
    if (!this.stay || this.waiting.length < this.side) return undefined;
    return this.hands.find(({ jobs, isQuick }) => isQuick && jobs.length === 1);
  }

  private give(hand: Hand, job: RunJob): void {
    hand.jobs.push(job);
    const { scenario, mostEvents } = job;
    const traces = job.traces.filter(({ name, bytes }) => hand.traces.get(name) !== bytes);
    for (const { name, bytes } of traces) hand.traces.set(name, bytes);
    hand.worker.api.run({ scenario, traces, ...(mostEvents && { mostEvents }) }).then(
      (result) => this.took(hand, result),
      (error) => this.took(hand, { failure: sentenceOf(error) }),
    );
  }

  /** A worker has come to the end of its run. */
  private took(hand: Hand, outcome: RunOutcome): void {
    if (!this.hands.includes(hand)) return;
    const job = hand.jobs.shift();
    if (!job) return;
    const failed = "failure" in outcome;
    hand.part = 0;
    hand.isQuick = !failed && outcome.ms < SHORT_MS;
    if (failed) this.dismiss(hand);
    this.doneCost += job.cost ?? 1;
    this.ended(job, outcome);
    this.count(failed);
    this.deal();
    if (!this.stay && hand.jobs.length === 0 && this.hands.includes(hand)) this.dismiss(hand);
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
    const sum = this.hands.reduce((sum, { jobs, part }) => sum + part * (jobs[0]?.cost ?? 1), this.doneCost);
    return this.wantedCost > 0 ? Math.min(1, sum / this.wantedCost) : 0;
  }
}
