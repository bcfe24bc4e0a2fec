import { createStore, type StoreApi } from "zustand/vanilla";
import type { Diagnostic, Scenario } from "../../scenario/types.ts";
import { EngineRefused, sentenceOf } from "../rpc/errors.ts";
import { withEngine } from "../rpc/module.ts";
import { type Calls, connect, type WorkerClient } from "../rpc/workerClient.ts";
import type {
  CampaignApi,
  CampaignDocuments,
  CampaignKind,
  CampaignNews,
  Campaigns,
  KeptResults,
} from "./campaignProtocol.ts";
import { allWorkersOf, coresHere, type RunJob, type RunOutcome, RunPool } from "./runPool.ts";

/** Numbers of runs of a campaign. */
export interface RunCounts {
  /** Runs that have ended, those without a result among them. */
  readonly known: number;
  /** Those of them that were read from the cache. */
  readonly kept: number;
  /** Wanted in all, as far as is known. */
  readonly wanted: number;
  readonly underWay: number;
  /** Runs that gave no result. */
  readonly failed: number;
}

export type CampaignPhase =
  | "none"
  | "opening"
  /** The engine refuses it; the diagnostics say why. */
  | "refused"
  /** Open, no run has been started. */
  | "ready"
  | "running"
  /** Runs that were in progress end, no others begin. */
  | "paused"
  /** Runs that were in progress were ended; results are kept. */
  | "cancelled"
  | "done"
  /** It ended without an answer, or its worker failed. */
  | "failed";

/** A campaign and its progress. */
export interface CampaignState<K extends CampaignKind> {
  readonly phase: CampaignPhase;
  readonly diagnostics: readonly Diagnostic[];
  /** Why it failed. */
  readonly sentence: string;
  readonly progress: Campaigns[K]["progress"] | null;
  readonly answer: Campaigns[K]["answer"] | null;
  readonly runs: RunCounts;
  /** Share of the runs that is done, 0 to 1. */
  readonly part: number;
  /** Runs at the same time. */
  readonly workers: number;
  /** Events in a second, of all workers together; null before they were measured. */
  readonly eventsPerSecond: number | null;
  /** Time that the wanted runs take on this machine, before they start; null if not known. */
  readonly estimateSeconds: number | null;
  /** The same from now on while they run. */
  readonly secondsLeft: number | null;
  /** Time in which runs were made here. */
  readonly ranMs: number;
  readonly kept: KeptResults;
}

const NO_RUNS: RunCounts = { known: 0, kept: 0, wanted: 0, underWay: 0, failed: 0 };

export const NO_CAMPAIGN: CampaignState<never> = {
  phase: "none",
  diagnostics: [],
  sentence: "",
  progress: null,
  answer: null,
  runs: NO_RUNS,
  part: 0,
  workers: 0,
  eventsPerSecond: null,
  estimateSeconds: null,
  secondsLeft: null,
  ranMs: 0,
  kept: { count: 0, bytes: 0, limitBytes: 0, fault: null },
};

/** Traces by name. */
export type Traces = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** How runs are made. */
export interface RunnerSetup {
  readonly createWorker?: () => Worker;
  readonly createRunWorker?: ConstructorParameters<typeof RunPool>[1];
  /** Runs at the same time. */
  readonly side?: number;
  /** Between two readings of what changed. */
  readonly pace?: () => Promise<void>;
}

/** Options of opening a campaign, in addition to its documents. */
interface OpenOptions {
  readonly traces?: Traces;
  /** A run whose beginning measures the machine, once the campaign is open. */
  readonly sample?: Scenario | null;
}

/** Runs that are given out by worker: in progress, ahead at the worker, and waiting for whichever is free first. */
const AHEAD = 4;

/** Events of the run that measures the machine: a tenth of a second or so. */
const MEASURED_EVENTS = 2_000_000;

/** Time between two readings of what changed, in milliseconds: faster changes are drawn together, which leaves the cores to the runs. */
const PACE_MS = 250;

/** The id of the run that measures the machine. */
const MEASURING = "measuring";

const createCampaignWorker = (): Worker =>
  withEngine(
    new Worker(new URL("./campaignWorker.ts", import.meta.url), { type: "module", name: "qoscope campaign" }),
    "figures",
  );

/** The worker of campaigns, to call functions of the engine without a campaign. */
export const connectCampaigns = (
  createWorker: () => Worker = createCampaignWorker,
): WorkerClient<CampaignApi> => connect(createWorker());

/**
 * A campaign on the page: a worker requests its runs and reads their results, a pool makes them. Results go through the cache of the browser,
 * so that a campaign that is opened again, in this window or another one, repeats no run. It lives as long as the page, whatever that shows.
 * `Own` is the state of one kind of campaign; `Cleared` is the part of it that each campaign begins with.
 */
export class CampaignRunner<
  K extends CampaignKind,
  Cleared extends object = object,
  Rest extends object = object,
> {
  readonly store: StoreApi<CampaignState<K> & Cleared & Rest>;
  private worker: WorkerClient<CampaignApi> | null = null;
  private readonly pool: RunPool;
  private readonly createWorker: () => Worker;
  private readonly side: number;
  private readonly pace: () => Promise<void>;
  /** Incremented per campaign. Replies to earlier ones are ignored. */
  private generation = 0;
  private traces: RunJob["traces"] = [];
  /** Runs that were given out and have not ended. */
  private readonly out = new Set<number>();
  /** Reads the cache; runs begin after it. */
  private recalling: Promise<void> = Promise.resolve();
  /** The generation for which runs are being given out. */
  private filling = 0;
  /** Runs that have ended since the campaign was opened. */
  private ends = 0;
  private telling: Promise<void> | null = null;
  private tellAgain = false;
  /** Events of runs, and the time that each took in its worker: speed of the machine. */
  private measured = { events: 0, ms: 0 };
  /** Events of a run of the sample; null before it was measured. */
  private eventsOfSample: number | null = null;
  private sampleUs = 0;
  /** Runs that were made here, their events, and the time in which runs were made. */
  private made = { runs: 0, events: 0, ms: 0, sinceMs: 0 };
  private readonly hashes = new WeakMap<Uint8Array, string>();

  constructor(
    private readonly kind: K,
    private readonly cleared: Cleared,
    rest: Rest,
    setup: RunnerSetup = {},
  ) {
    this.createWorker = setup.createWorker ?? createCampaignWorker;
    this.side = setup.side ?? allWorkersOf(coresHere());
    this.pace = setup.pace ?? (() => new Promise((resolve) => setTimeout(resolve, PACE_MS)));
    this.store = createStore(() => ({
      ...(NO_CAMPAIGN as CampaignState<K>),
      ...cleared,
      ...rest,
      workers: this.side,
    }));
    this.pool = new RunPool(
      ({ id }, outcome) => this.ended(id, outcome),
      setup.createRunWorker,
      this.side,
      true,
    );
    this.pool.store.subscribe(({ inProgress }) => {
      if (inProgress > 0 && this.state.phase === "running") this.set({ part: this.part(this.state.runs) });
    });
  }

  /** Functions of the worker; a new worker if the last one failed. */
  get api(): Calls<CampaignApi> {
    this.worker ??= connect<CampaignApi>(this.createWorker());
    return this.worker.api;
  }

  /** Starts the wanted runs, or continues them. */
  start(): void {
    const { phase } = this.state;
    if (phase !== "ready" && phase !== "paused" && phase !== "cancelled") return;
    this.made.sinceMs = performance.now();
    this.set({ phase: "running" });
    void this.recalling.then(
      () => this.fill(),
      () => {},
    );
  }

  resume(): void {
    this.start();
  }

  /** Begins no further run; those in progress end. */
  pause(): void {
    if (this.state.phase !== "running") return;
    const back = this.pool.withdraw().filter(({ id }) => id !== MEASURING);
    this.giveBack(back.map(({ id }) => Number(id)));
    this.rest("paused");
  }

  /** Ends runs in progress and keeps results. */
  cancel(): void {
    const { phase } = this.state;
    if (phase !== "running" && phase !== "paused") return;
    this.pool.reset();
    this.giveBack([...this.out]);
    this.rest("cancelled");
    this.tell();
  }

  /** Leaves the campaign; its results stay in the cache. */
  close(): void {
    this.leave();
    this.set(this.nothing("none"));
    this.worker?.api.close().catch(() => {});
  }

  /** Leaves the campaign and ends its worker. */
  end(): void {
    this.leave();
    this.set(this.nothing("none"));
    this.endWorker(new Error("The campaign was closed"));
  }

  /** Resolves with the state in which the campaign is no longer opening, running or paused. */
  settled(): Promise<CampaignState<K> & Cleared & Rest> {
    const isSettled = () => !["opening", "ready", "running", "paused"].includes(this.state.phase);
    return new Promise((resolve) => {
      const look = () => {
        if (!isSettled()) return;
        stop();
        resolve(this.state);
      };
      const stop = this.store.subscribe(look);
      look();
    });
  }

  /** Measures the speed of the machine by the beginning of a run. */
  measure(scenario: Scenario): void {
    const job = { id: MEASURING, scenario: JSON.stringify(scenario), traces: this.traces };
    this.pool.add([{ ...job, mostEvents: MEASURED_EVENTS }]);
    this.sampleUs = scenario.durationUs;
  }

  /** Opens a campaign, with results from the cache; `documents` is given the hashes of the traces. No run is started. */
  protected async openWith(
    documents: (traceHashes: string) => CampaignDocuments,
    { traces = new Map(), sample = null }: OpenOptions = {},
  ): Promise<void> {
    const generation = this.leave();
    this.set(this.nothing("opening"));
    try {
      const hashes: Record<string, string> = {};
      for (const [name, bytes] of traces) hashes[name] = await this.hashOf(bytes);
      if (generation !== this.generation) return;
      const opened: Campaigns[K]["opened"] = await this.api.open(
        this.kind,
        documents(JSON.stringify(hashes)),
      );
      if (generation !== this.generation) return;
      this.traces = [...traces].map(([name, bytes]) => ({ name, bytes }));
      this.setOwn(this.ofOpened(opened));
      this.recalling = this.recall(generation);
      await this.recalling;
      if (generation === this.generation && this.state.phase === "ready" && sample) this.measure(sample);
    } catch (error) {
      if (generation === this.generation) this.fail(error);
    }
  }

  /** State of its kind of a campaign that was opened. */
  protected ofOpened(_opened: Campaigns[K]["opened"]): Partial<Cleared> {
    return {};
  }

  /** State of its kind with what changed. */
  protected ofChanged(_changed: Campaigns[K]["changed"]): Partial<Cleared> {
    return {};
  }

  /** Events of a run, before one was made; null if not known. */
  protected eventsOfRun(): number | null {
    return null;
  }

  protected get state(): CampaignState<K> & Cleared & Rest {
    return this.store.getState();
  }

  private set(part: Partial<CampaignState<K>>): void {
    this.store.setState(part as Partial<CampaignState<K> & Cleared & Rest>);
  }

  private setOwn(part: Partial<Cleared>): void {
    this.store.setState(part as Partial<CampaignState<K> & Cleared & Rest>);
  }

  private nothing(phase: "none" | "opening"): Partial<CampaignState<K>> {
    const { kept, eventsPerSecond } = this.state;
    return {
      ...(NO_CAMPAIGN as CampaignState<K>),
      ...this.cleared,
      phase,
      workers: this.side,
      kept,
      eventsPerSecond,
    };
  }

  /** Leaves the campaign that is open, if any, for another generation. */
  private leave(): number {
    this.pool.reset();
    this.out.clear();
    this.ends = 0;
    this.made = { runs: 0, events: 0, ms: 0, sinceMs: 0 };
    this.eventsOfSample = null;
    return ++this.generation;
  }

  private endWorker(reason: Error): void {
    this.worker?.end(reason);
    this.worker = null;
  }

  private async hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
    const hash = this.hashes.get(bytes) ?? (await this.api.traceHash(bytes));
    this.hashes.set(bytes, hash);
    return hash;
  }

  /** Reads the cache, a part at a time, and then is ready, or done. */
  private async recall(generation: number): Promise<void> {
    for (let more = true; more; ) {
      const found = await this.api.recall();
      if (generation !== this.generation) return;
      more = found.more;
      this.recalled(found.recalled);
      if (found.recalled > 0 || !more) await this.read(generation);
      if (generation !== this.generation) return;
      if (this.state.phase === "opening") this.set({ phase: "ready" });
    }
  }

  private recalled(count: number): void {
    const { runs } = this.state;
    if (count > 0) this.set({ runs: { ...runs, kept: runs.kept + count } });
  }

  /** Has the pool make the wanted runs as far as its workers reach. If none is wanted, and none in progress, the campaign is done. */
  private async fill(): Promise<void> {
    const { generation } = this;
    if (this.filling === generation) return;
    this.filling = generation;
    const isOn = () => generation === this.generation && this.state.phase === "running";
    try {
      while (isOn()) {
        const room = this.side * AHEAD - this.out.size;
        if (room <= 0) break;
        const { ends } = this;
        const { jobs, recalled } = await this.api.next(room);
        if (generation !== this.generation) return;
        this.recalled(recalled);
        if (!isOn()) {
          this.giveBack(jobs.map(({ id }) => id));
          break;
        }
        for (const { id } of jobs) this.out.add(id);
        this.pool.add(jobs.map(({ id, ...job }) => ({ id: `${id}`, ...job, traces: this.traces })));
        if (recalled > 0 || jobs.length > 0) this.tell();
        if (jobs.length > 0 || recalled > 0) continue;
        // Results that came since may request more.
        if (ends !== this.ends) continue;
        if (this.out.size === 0) await this.conclude(generation);
        break;
      }
    } catch (error) {
      if (generation === this.generation) this.fail(error);
    } finally {
      if (this.filling === generation) this.filling = 0;
    }
  }

  /** No further run is wanted. */
  private async conclude(generation: number): Promise<void> {
    await this.read(generation);
    if (generation === this.generation && !this.state.answer)
      this.fail(new Error("No further run is wanted, and there is no answer."));
  }

  /** Makes no further runs, for now or at all. */
  private rest(phase: "paused" | "cancelled" | "done"): void {
    if (this.state.phase === "running") this.made.ms += performance.now() - this.made.sinceMs;
    this.change({ phase });
  }

  private ended(id: string, outcome: RunOutcome): void {
    const { generation } = this;
    const failed = "failure" in outcome;
    if (!failed) {
      this.measured.events += outcome.events;
      this.measured.ms += outcome.ms;
    }
    if (id === MEASURING) {
      if (!failed && outcome.simulatedUs > 0)
        this.eventsOfSample = (outcome.events * this.sampleUs) / outcome.simulatedUs;
      this.change();
      return;
    }
    this.out.delete(Number(id));
    this.ends++;
    if (failed) this.set({ runs: { ...this.state.runs, failed: this.state.runs.failed + 1 } });
    else {
      this.made.runs++;
      this.made.events += outcome.events;
    }
    const put = failed
      ? { id: Number(id), failure: outcome.failure }
      : { id: Number(id), summary: outcome.json };
    this.api.put([put]).catch((error) => {
      if (generation === this.generation) this.fail(error);
    });
    this.tell();
    void this.fill();
  }

  private giveBack(ids: readonly number[]): void {
    for (const id of ids) this.out.delete(id);
    if (ids.length > 0) this.api.giveBack(ids).catch(() => {});
  }

  /** Reads what changed, soon: changes within the pace are read together. */
  private tell(): void {
    if (this.telling) {
      this.tellAgain = true;
      return;
    }
    const { generation } = this;
    this.telling = this.read(generation)
      .then(this.pace)
      .catch((error) => {
        if (generation === this.generation) this.fail(error);
      })
      .finally(() => {
        this.telling = null;
        if (!this.tellAgain) return;
        this.tellAgain = false;
        if (this.state.progress) this.tell();
      });
  }

  private async read(generation: number): Promise<void> {
    const { changed, progress, answer, kept } = (await this.api.news()) as CampaignNews<K>;
    if (generation !== this.generation) return;
    this.setOwn(this.ofChanged(changed));
    this.change({ progress, answer, kept });
    if (answer === null || this.state.phase === "done") return;
    this.pool.reset();
    this.rest("done");
  }

  /** Changes the state, and counts runs and the time that they take. */
  private change(part: Partial<CampaignState<K>> = {}): void {
    const { runs, progress, phase } = { ...this.state, ...part };
    const known = progress?.known ?? runs.known;
    const wanted = progress?.wanted ?? runs.wanted;
    const { finished, wanted: given } = this.pool.store.getState();
    const underWay = Math.min(this.side, this.out.size, Math.max(0, given - finished));
    const ranMs = this.made.ms + (phase === "running" ? performance.now() - this.made.sinceMs : 0);
    const alone = this.measured.ms > 0 ? (1000 * this.measured.events) / this.measured.ms : null;
    // Until enough runs were made here: each worker is as fast as one alone.
    const isMeasured = this.made.runs >= this.side && ranMs > 0;
    const eventsPerSecond = isMeasured ? (1000 * this.made.events) / ranMs : alone && alone * this.side;
    const eventsOfRun =
      this.made.runs > 0 ? this.made.events / this.made.runs : (this.eventsOfSample ?? this.eventsOfRun());
    const seconds =
      eventsPerSecond !== null && eventsOfRun !== null
        ? (Math.max(0, wanted - known) * eventsOfRun) / eventsPerSecond
        : null;
    const counts = { ...runs, known, wanted, underWay };
    this.set({
      ...part,
      runs: counts,
      part: phase === "done" ? 1 : this.part(counts),
      ranMs,
      eventsPerSecond,
      estimateSeconds: phase === "running" || phase === "done" ? null : seconds,
      secondsLeft: phase === "running" ? seconds : null,
    });
  }

  private part({ known, wanted }: RunCounts): number {
    return wanted > 0 ? Math.min(1, (known + this.pool.store.getState().inProgress) / wanted) : 0;
  }

  /** The campaign was refused, ended without an answer, or its worker failed. */
  private fail(error: unknown): void {
    const isRefused = error instanceof EngineRefused;
    const isOpening = this.state.phase === "opening";
    this.leave();
    if (!isRefused) this.endWorker(error instanceof Error ? error : new Error(String(error)));
    this.set({
      phase: isRefused && isOpening ? "refused" : "failed",
      diagnostics: isRefused ? error.diagnostics : [],
      sentence: isRefused && isOpening ? "" : sentenceOf(error),
      secondsLeft: null,
    });
  }
}
