import { proxy } from "comlink";
import { createStore } from "zustand/vanilla";
import { sentenceOf } from "../rpc/errors.ts";
import { withEngine } from "../rpc/module.ts";
import { connect, type WorkerClient } from "../rpc/workerClient.ts";
import type { RunApi, RunRequest, RunResult } from "./runProtocol.ts";

/** One run that is wanted. */
export interface RunJob extends RunRequest {
  readonly id: string;
}

/** What became of a run: its result, or why there is none. */
export type RunOutcome = RunResult | { readonly failure: string };

/** Progress of the runs of a pool, since it was idle last. */
export interface RunPoolState {
  readonly wanted: number;
  /** Runs that have ended, those that failed among them. */
  readonly finished: number;
  /** Sum of the shares of runs in progress that are simulated. */
  readonly inProgress: number;
}

const IDLE: RunPoolState = { wanted: 0, finished: 0, inProgress: 0 };

/** Workers at most: each holds an engine of its own. */
const MAX_WORKERS = 8;

/** Runs side by side beside a run that is looked at: every core but the one that the page and its run need. */
export const workersOf = (cores: number): number => Math.max(1, Math.min(cores - 1, MAX_WORKERS));

/** Runs side by side where they are all that is waited for: every core. */
export const allWorkersOf = (cores: number): number => Math.max(1, Math.min(cores, MAX_WORKERS));

/** Cores of this machine. */
export const coresHere = (): number => globalThis.navigator?.hardwareConcurrency || 2;

/** Runs that take less than this are given to a worker before it has ended the one before: they would wait for the page between them. */
const SHORT_MS = 1000;

/** Why runs of a worker that the pool ends have no outcome. */
const ENDED = new Error("The pool has ended its worker");

/** A worker, and the runs that it has been given: the first is under way. */
interface WorkerSlot {
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
  private slots: WorkerSlot[] = [];
  private waiting: RunJob[] = [];

  constructor(
    /** Is told of each run that ends, in the order in which they do. */
    private readonly ended: (job: RunJob, outcome: RunOutcome) => void,
    private readonly createWorker: () => WorkerClient<RunApi> = createRunWorker,
    /** Runs side by side, at most. */
    private readonly side: number = workersOf(coresHere()),
    /** Workers stay for runs that are wanted after all others have ended, until the pool is cancelled or forgets everything. */
    private readonly stay = false,
  ) {}

  /** Requests runs in addition to those in progress. */
  add(jobs: readonly RunJob[]): void {
    if (jobs.length === 0) return;
    const { wanted, finished } = this.store.getState();
    this.store.setState(
      finished < wanted ? { wanted: wanted + jobs.length } : { ...IDLE, wanted: jobs.length },
    );
    this.waiting.push(...jobs);
    this.deal();
  }

  /** Takes back the runs that no worker has been given yet. */
  withdraw(): readonly RunJob[] {
    const back = this.waiting;
    this.waiting = [];
    this.store.setState(({ wanted }) => ({ wanted: wanted - back.length }));
    return back;
  }

  /** Ends runs in progress, and forgets everything. */
  reset(): void {
    this.end();
    this.store.setState(IDLE);
  }

  private end(): void {
    for (const { worker } of this.slots) worker.end(ENDED);
    this.slots = [];
    this.waiting = [];
  }

  private dismiss(slot: WorkerSlot): void {
    slot.worker.end(ENDED);
    this.slots = this.slots.filter((item) => item !== slot);
    // What it had not begun is for others.
    this.waiting.unshift(...slot.jobs);
  }

  /** Gives out the runs that wait: to workers that have none, to new ones, and ahead where that helps. */
  private deal(): void {
    while (this.waiting.length > 0) {
      const free = this.slots.find(({ jobs }) => jobs.length === 0);
      const slot = free ?? (this.slots.length < this.side ? this.hire() : this.quick());
      if (!slot) return;
      this.give(slot, this.waiting.shift() as RunJob);
    }
  }

  private hire(): WorkerSlot {
    const worker = this.createWorker();
    const slot: WorkerSlot = { worker, jobs: [], traces: new Map(), part: 0, isQuick: false };
    this.slots.push(slot);
    const onPart = (part: number) => {
      if (!this.slots.includes(slot)) return;
      slot.part = part;
      this.tell();
    };
    worker.api.reportTo(proxy(onPart)).catch(() => {});
    return slot;
  }

  /** A worker whose next run may wait at its side; none while others could begin it sooner. */
  private quick(): WorkerSlot | undefined {
    if (!this.stay || this.waiting.length < this.side) return undefined;
    return this.slots.find(({ jobs, isQuick }) => isQuick && jobs.length === 1);
  }

  private give(slot: WorkerSlot, job: RunJob): void {
    slot.jobs.push(job);
    const { id: _, ...request } = job;
    const traces = job.traces.filter(({ name, bytes }) => slot.traces.get(name) !== bytes);
    for (const { name, bytes } of traces) slot.traces.set(name, bytes);
    slot.worker.api.run({ ...request, traces }).then(
      (result) => this.took(slot, result),
      (error) => this.took(slot, { failure: sentenceOf(error) }),
    );
  }

  /** A worker has come to the end of its run. */
  private took(slot: WorkerSlot, outcome: RunOutcome): void {
    if (!this.slots.includes(slot)) return;
    const job = slot.jobs.shift();
    if (!job) return;
    const failed = "failure" in outcome;
    slot.part = 0;
    slot.isQuick = !failed && outcome.ms < SHORT_MS;
    if (failed) this.dismiss(slot);
    this.ended(job, outcome);
    if (this.store.getState().wanted > 0) this.store.setState(({ finished }) => ({ finished: finished + 1 }));
    this.tell();
    this.deal();
    if (!this.stay && slot.jobs.length === 0 && this.slots.includes(slot)) this.dismiss(slot);
  }

  private tell(): void {
    this.store.setState({ inProgress: this.slots.reduce((sum, { part }) => sum + part, 0) });
  }
}
