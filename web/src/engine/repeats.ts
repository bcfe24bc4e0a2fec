import { createStore } from "zustand/vanilla";
import type { RunSummary } from "../run/repeats.ts";
import { withEngine } from "./module.ts";
import type { RepeatReply, RepeatRequest } from "./repeatProtocol.ts";

/** How far repeated runs are. */
export interface RepeatState {
  readonly phase: "idle" | "running" | "done" | "cancelled" | "failed";
  /** Runs asked for, of all scenarios together, and those that have come to their end. */
  readonly wanted: number;
  readonly finished: number;
  /** Of the runs under way and ended, the share that is simulated. */
  readonly part: number;
  readonly elapsedMs: number;
  /** By seed, in the order asked for: a summary for each scenario, undefined while it is not there. */
  readonly seeds: readonly {
    readonly seed: number;
    readonly summaries: readonly (RunSummary | undefined)[];
  }[];
  /** Why it failed. */
  readonly sentence: string;
}

const IDLE: RepeatState = {
  phase: "idle",
  wanted: 0,
  finished: 0,
  part: 0,
  elapsedMs: 0,
  seeds: [],
  sentence: "",
};

interface Job {
  readonly request: RepeatRequest;
  readonly seed: number;
  readonly of: number;
}

/** What is asked for: scenarios that differ, and the seeds that each of them runs with. */
export interface RepeatWish {
  /** As JSON is made of: the seed is put in for each run. */
  readonly scenarios: readonly object[];
  readonly seeds: readonly number[];
  readonly traces: RepeatRequest["traces"];
}

/** Workers at most: each holds an engine of its own. */
const MAX_WORKERS = 6;

/** Runs scenarios with several seeds in a pool of workers: every core but the one that the page and its run need. */
export class Repeats {
  readonly store = createStore<RepeatState>()(() => IDLE);
  private workers: Worker[] = [];
  private waiting: Job[] = [];
  private readonly parts = new Map<number, number>();
  private startedMs = 0;

  constructor(
    private readonly createWorker: () => Worker = () =>
      withEngine(
        new Worker(new URL("./repeatWorker.ts", import.meta.url), {
          type: "module",
          name: "qoscope repeats",
        }),
      ),
    private readonly cores: number = navigator.hardwareConcurrency || 2,
  ) {}

  /** Begins anew, whatever is under way. The scenarios of one seed run after each other: differences come early. */
  start({ scenarios, seeds, traces }: RepeatWish): void {
    this.end();
    const jobs = seeds.flatMap((seed) =>
      scenarios.map((scenario, of) => ({ seed, of, scenario: JSON.stringify({ ...scenario, seed }) })),
    );
    this.waiting = jobs.map(({ seed, of, scenario }, id) => ({
      seed,
      of,
      request: { id, scenario, traces },
    }));
    this.parts.clear();
    this.startedMs = performance.now();
    this.store.setState({
      ...IDLE,
      phase: "running",
      wanted: jobs.length,
      seeds: seeds.map((seed) => ({ seed, summaries: scenarios.map(() => undefined) })),
    });
    const count = Math.max(1, Math.min(this.cores - 1, MAX_WORKERS, jobs.length));
    this.workers = Array.from({ length: count }, () => this.hire());
  }

  /** Ends what is under way and keeps what is done. */
  cancel(): void {
    if (this.store.getState().phase !== "running") return;
    this.end();
    this.store.setState({ phase: "cancelled" });
  }

  /** Forgets everything. */
  reset(): void {
    this.end();
    this.store.setState(IDLE);
  }

  private end(): void {
    for (const worker of this.workers) worker.terminate();
    this.workers = [];
    this.waiting = [];
  }

  private hire(): Worker {
    const worker = this.createWorker();
    let job: Job | undefined;
    const next = () => {
      job = this.waiting.shift();
      if (job) worker.postMessage(job.request);
    };
    worker.onmessage = ({ data }: MessageEvent<RepeatReply>) => {
      if (!job || data.id !== job.request.id) return;
      if (data.kind === "failed") this.fail(data.sentence);
      else if (data.kind === "progress") this.progress(data.id, data.part);
      else {
        this.done(job, data.summary);
        next();
      }
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.fail(event.message || "A worker ended by itself.");
    };
    next();
    return worker;
  }

  private progress(id: number, part: number): void {
    this.parts.set(id, part);
    const { wanted } = this.store.getState();
    const sum = [...this.parts.values()].reduce((total, one) => total + one, 0);
    this.store.setState({ part: sum / Math.max(1, wanted), elapsedMs: performance.now() - this.startedMs });
  }

  private done({ request, seed, of }: Job, summary: RunSummary): void {
    this.progress(request.id, 1);
    this.store.setState(({ seeds, finished, wanted }) => ({
      finished: finished + 1,
      phase: finished + 1 === wanted ? "done" : "running",
      seeds: seeds.map((row) =>
        row.seed === seed ? { seed, summaries: row.summaries.with(of, summary) } : row,
      ),
    }));
    if (this.store.getState().phase === "done") this.end();
  }

  private fail(sentence: string): void {
    this.end();
    this.store.setState({ phase: "failed", sentence });
  }
}
