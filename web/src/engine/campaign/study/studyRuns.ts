import { createStore } from "zustand/vanilla";
import type { StudyAnswer, StudyCost, StudyProgress, StudyTable } from "../../../generated/answers.d.ts";
import type { RunSummary } from "../../../run/repeats.ts";
import type { StudyDocument, Suggestions } from "../../../scenario/study.ts";
import type { Diagnostic, Scenario } from "../../../scenario/types.ts";
import { EngineRefused } from "../../rpc/errors.ts";
import { connect, type WorkerClient } from "../../rpc/workerClient.ts";
import { allWorkersOf, coresHere, type RunJob, type RunOutcome, RunPool } from "../runPool.ts";
import type { KeptResults, StudyNews, StudyQuestions } from "./studyProtocol.ts";

/** The runs of a study, counted. */
export interface StudyRunCounts {
  /** Runs whose results there are. */
  readonly known: number;
  /** Those of them that were kept from before, and were not made here. */
  readonly kept: number;
  /** Wanted in all, as far as is known. */
  readonly wanted: number;
  readonly underWay: number;
  /** Runs that gave no result. */
  readonly failed: number;
}

/** A study and how far it is. */
export interface StudyRunsState {
  /**
   * `refused`: the study cannot be taken, the diagnostics say why. `ready`: nothing is being run yet. `cancelled`: somebody called it off; what
   * was done stays. `failed`: the engine that holds it is gone.
   */
  readonly phase:
    | "none"
    | "opening"
    | "refused"
    | "ready"
    | "running"
    | "paused"
    | "cancelled"
    | "done"
    | "failed";
  readonly diagnostics: readonly Diagnostic[];
  /** Why it failed. */
  readonly sentence: string;
  /** As the engine reads it. */
  readonly document: StudyDocument | null;
  readonly cost: StudyCost | null;
  readonly table: StudyTable | null;
  readonly progress: StudyProgress | null;
  readonly answer: StudyAnswer | null;
  readonly runs: StudyRunCounts;
  /** Runs side by side. */
  readonly workers: number;
  /** Events in a second, of all workers together; null before they were measured. */
  readonly eventsPerSecond: number | null;
  /** How long what is wanted takes on this machine, before it starts; null while nobody knows. */
  readonly estimateSeconds: number | null;
  /** The same from now on while it runs. */
  readonly secondsLeft: number | null;
  readonly kept: KeptResults;
}

const NOTHING_KEPT: KeptResults = { count: 0, bytes: 0, limitBytes: 0, fault: null };

export const NO_STUDY: StudyRunsState = {
  phase: "none",
  diagnostics: [],
  sentence: "",
  document: null,
  cost: null,
  table: null,
  progress: null,
  answer: null,
  runs: { known: 0, kept: 0, wanted: 0, underWay: 0, failed: 0 },
  workers: 0,
  eventsPerSecond: null,
  estimateSeconds: null,
  secondsLeft: null,
  kept: NOTHING_KEPT,
};

/** The traces of the page, by name. */
type Traces = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** Runs that are given out by worker: under way, ahead at the worker, and waiting for whichever is free first. */
const AHEAD = 4;

/** Events of the run that measures the machine: a tenth of a second or so. */
const MEASURED_EVENTS = 2_000_000;

/** Time between two readings of the table, in milliseconds: changes that come faster are drawn together, which leaves the cores to the runs. */
const PACE_MS = 250;

/** The id of the run that measures the machine. */
const MEASURING = "measuring";

/**
 * The study that is open on the page: a worker says which of its runs are to be made and what has come of them, a pool makes them. It lives as
 * long as the page, whatever that shows.
 */
export class StudyRuns {
  readonly store = createStore<StudyRunsState>()(() => NO_STUDY);
  private asking: WorkerClient<StudyQuestions> | null = null;
  private readonly pool: RunPool;
  /** Another one with every study: what comes of an earlier one is not heard. */
  private generation = 0;
  private traces: RunJob["traces"] = [];
  /** Runs that were given out and have not ended. */
  private readonly out = new Set<number>();
  /** The reading of what is kept, which comes before any run. */
  private recalling: Promise<void> = Promise.resolve();
  /** The generation for which runs are being given out. */
  private filling = 0;
  /** Runs that have ended since the study was opened. */
  private ends = 0;
  private telling: Promise<void> | null = null;
  private tellAgain = false;
  /** By what the machine was measured: events of runs, and how long each took by itself. */
  private measured = { events: 0, ms: 0 };
  /** Events of a run of the scenario as it is, where its beginning was measured; null before. */
  private eventsOfBase: number | null = null;
  private durationUs = 0;
  /** Runs that were made here, their events, and the time in which runs were made. */
  private made = { runs: 0, events: 0, ms: 0, sinceMs: 0 };
  private readonly hashes = new WeakMap<Uint8Array, string>();

  constructor(
    private readonly createWorker: () => Worker,
    createRunWorker?: ConstructorParameters<typeof RunPool>[1],
    private readonly side: number = allWorkersOf(coresHere()),
    private readonly pace: () => Promise<void> = () => new Promise((resolve) => setTimeout(resolve, PACE_MS)),
  ) {
    this.pool = new RunPool(({ id }, outcome) => this.ended(id, outcome), createRunWorker, side, true);
  }

  /** Opens a study of a scenario, null where it has its own, with what is kept of its results. Nothing is run yet. */
  async open(study: StudyDocument, scenario: Scenario | null, traces: Traces = new Map()): Promise<void> {
    const generation = this.leave();
    this.store.setState({ ...NO_STUDY, phase: "opening", workers: this.side, kept: this.state.kept });
    try {
      const hashes: Record<string, string> = {};
      for (const [name, bytes] of traces) hashes[name] = await this.hashOf(bytes);
      if (generation !== this.generation) return;
      const json = scenario && JSON.stringify(scenario);
      const opened = await this.desk.api.open(JSON.stringify(study), json, hashes);
      if (generation !== this.generation) return;
      this.traces = [...traces].map(([name, bytes]) => ({ name, bytes }));
      this.store.setState({
        ...opened,
        progress: null,
        runs: { ...NO_STUDY.runs, wanted: opened.cost.runs },
      });
      this.recalling = this.recall(generation);
      await this.recalling;
      if (generation !== this.generation) return;
      if (this.state.phase === "ready" && scenario) this.measure(scenario);
    } catch (error) {
      if (generation === this.generation) this.fail(error);
    }
  }

  /** Makes the runs that are wanted, from the first one or from where they were left. */
  start(): void {
    const { phase } = this.state;
    if (phase !== "ready" && phase !== "paused" && phase !== "cancelled") return;
    this.made.sinceMs = performance.now();
    this.store.setState({ phase: "running" });
    void this.recalling.then(
      () => this.fill(),
      () => {},
    );
  }

  resume(): void {
    this.start();
  }

  /** Begins no further run; those under way come to their ends. */
  pause(): void {
    if (this.state.phase !== "running") return;
    const back = this.pool.withdraw().filter(({ id }) => id !== MEASURING);
    this.giveBack(back.map(({ id }) => Number(id)));
    this.rest("paused");
  }

  /** Ends what is under way, and keeps what is done. */
  cancel(): void {
    const { phase } = this.state;
    if (phase !== "running" && phase !== "paused") return;
    this.pool.reset();
    this.giveBack([...this.out]);
    this.rest("cancelled");
    this.tell();
  }

  /** Forgets the study; its results stay where they are kept. */
  close(): void {
    this.leave();
    this.store.setState({ ...NO_STUDY, kept: this.state.kept });
    this.asking?.api.close().catch(() => {});
  }

  /** What can vary in a scenario, and what can be asked of it. */
  suggestions(scenario: Scenario): Promise<Suggestions> {
    return this.desk.api.suggest(JSON.stringify(scenario));
  }

  /** The scenario of a run: of a point by its place in the table, under a seed as counted from the first one. */
  scenarioAt(point: number, seed: number): Promise<Scenario> {
    return this.desk.api.scenarioAt(point, seed);
  }

  /** Forgets the results that are kept of all studies. The table that is shown stays. */
  async forgetKept(): Promise<void> {
    this.store.setState({ kept: await this.desk.api.forget() });
  }

  private get state(): StudyRunsState {
    return this.store.getState();
  }

  /** The worker of studies; another one where the last is gone. */
  private get desk(): WorkerClient<StudyQuestions> {
    this.asking ??= connect<StudyQuestions>(this.createWorker());
    return this.asking;
  }

  /** Leaves the study that is open, if any, for another generation. */
  private leave(): number {
    this.pool.reset();
    this.out.clear();
    this.ends = 0;
    this.made = { runs: 0, events: 0, ms: 0, sinceMs: 0 };
    this.eventsOfBase = null;
    return ++this.generation;
  }

  private async hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
    const hash = this.hashes.get(bytes) ?? (await this.desk.api.traceHash(bytes));
    this.hashes.set(bytes, hash);
    return hash;
  }

  /** Takes in what is kept, a part at a time, and then is ready, or done. */
  private async recall(generation: number): Promise<void> {
    for (let more = true; more; ) {
      const found = await this.desk.api.recall();
      if (generation !== this.generation) return;
      more = found.more;
      this.recalled(found.recalled);
      if (found.recalled > 0 || !more) await this.read(generation);
      if (generation !== this.generation) return;
      if (this.state.phase === "opening") this.store.setState({ phase: "ready" });
    }
  }

  private recalled(count: number): void {
    if (count > 0) this.store.setState(({ runs }) => ({ runs: { ...runs, kept: runs.kept + count } }));
  }

  /** Measures the machine, and how much work a run is, by the beginning of one. */
  private measure(scenario: Scenario): void {
    const job = { id: MEASURING, scenario: JSON.stringify(scenario), traces: this.traces };
    this.pool.add([{ ...job, mostEvents: MEASURED_EVENTS }]);
    this.durationUs = scenario.durationUs;
  }

  /** Has the pool make what is wanted as far as its workers reach. Where nothing more is wanted, and nothing under way, that was all. */
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
        const { jobs, recalled } = await this.desk.api.next(room);
        if (generation !== this.generation) return;
        this.recalled(recalled);
        if (!isOn()) {
          this.giveBack(jobs.map(({ id }) => id));
          break;
        }
        for (const { id } of jobs) this.out.add(id);
        this.pool.add(jobs.map(({ id, scenario }) => ({ id: `${id}`, scenario, traces: this.traces })));
        if (recalled > 0 || jobs.length > 0) this.tell();
        if (jobs.length > 0 || recalled > 0) continue;
        // What ended meanwhile may want more.
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

  /** Nothing more is wanted. */
  private async conclude(generation: number): Promise<void> {
    await this.read(generation);
    if (generation === this.generation && !this.state.answer)
      this.fail(new Error("The study wants no further run, and has no answer."));
  }

  /** Runs no further, for now or at all. */
  private rest(phase: "paused" | "cancelled" | "done", part: Partial<StudyRunsState> = {}): void {
    if (this.state.phase === "running") this.made.ms += performance.now() - this.made.sinceMs;
    this.change({ ...part, phase });
  }

  private ended(id: string, outcome: RunOutcome): void {
    const { generation } = this;
    const failed = "failure" in outcome;
    if (!failed) {
      this.measured.events += outcome.events;
      this.measured.ms += outcome.ms;
    }
    if (id === MEASURING) {
      const { simulatedUs = 0 } = failed ? {} : (JSON.parse(outcome.json) as RunSummary);
      if (!failed && simulatedUs > 0) this.eventsOfBase = (outcome.events * this.durationUs) / simulatedUs;
      this.change();
      return;
    }
    this.out.delete(Number(id));
    this.ends++;
    if (failed) this.store.setState(({ runs }) => ({ runs: { ...runs, failed: runs.failed + 1 } }));
    else {
      this.made.runs++;
      this.made.events += outcome.events;
    }
    const put = failed
      ? { id: Number(id), failure: outcome.failure }
      : { id: Number(id), summary: outcome.json };
    this.desk.api.put([put]).catch((error) => {
      if (generation === this.generation) this.fail(error);
    });
    this.tell();
    void this.fill();
  }

  private giveBack(ids: readonly number[]): void {
    for (const id of ids) this.out.delete(id);
    if (ids.length > 0) this.desk.api.giveBack(ids).catch(() => {});
  }

  /** Reads what has changed, soon: what comes meanwhile is read together. */
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
        if (this.state.table) this.tell();
      });
  }

  private async read(generation: number): Promise<void> {
    const news = await this.desk.api.news();
    if (generation !== this.generation) return;
    const { progress, answer, kept } = news;
    const table = tableWith(this.state.table, news);
    if (!answer) {
      this.change({ table, progress, answer, kept });
      return;
    }
    this.pool.reset();
    this.rest("done", { table, progress, answer, kept });
  }

  /** Changes the state, and counts the runs anew, and how long they take. */
  private change(part: Partial<StudyRunsState> = {}): void {
    const { runs, cost, progress, phase } = { ...this.state, ...part };
    const known = progress?.known ?? runs.known;
    const wanted = progress?.wanted ?? runs.wanted;
    const { finished, wanted: given } = this.pool.store.getState();
    const underWay = Math.min(this.side, this.out.size, Math.max(0, given - finished));
    const ownMs = this.made.ms + (phase === "running" ? performance.now() - this.made.sinceMs : 0);
    const alone = this.measured.ms > 0 ? (1000 * this.measured.events) / this.measured.ms : null;
    // Until enough has been made here: as fast as each worker was alone.
    const isMeasured = this.made.runs >= this.side && ownMs > 0;
    const eventsPerSecond = isMeasured ? (1000 * this.made.events) / ownMs : alone && alone * this.side;
    const eventsOfRun =
      this.made.runs > 0
        ? this.made.events / this.made.runs
        : (this.eventsOfBase ?? (cost && cost.events / Math.max(1, cost.runs)));
    const seconds =
      eventsPerSecond !== null && eventsOfRun !== null
        ? (Math.max(0, wanted - known) * eventsOfRun) / eventsPerSecond
        : null;
    this.store.setState({
      ...part,
      runs: { ...runs, known, wanted, underWay },
      eventsPerSecond,
      estimateSeconds: phase === "running" || phase === "done" ? null : seconds,
      secondsLeft: phase === "running" ? seconds : null,
    });
  }

  /** The study was refused, or its worker is gone. */
  private fail(error: unknown): void {
    this.leave();
    if (error instanceof EngineRefused && this.state.phase === "opening") {
      this.store.setState({ phase: "refused", diagnostics: error.diagnostics });
      return;
    }
    const sentence = error instanceof Error ? error.message : String(error);
    this.asking?.end(new Error(sentence));
    this.asking = null;
    this.store.setState({ phase: "failed", sentence, secondsLeft: null });
  }
}

/** The table with what has changed in it. */
function tableWith(table: StudyTable | null, { table: whole, points }: StudyNews): StudyTable | null {
  if (whole || !table || points.length === 0) return whole ?? table;
  const changed = [...table.points];
  for (const [place, point] of points) changed[place] = point;
  return { ...table, points: changed };
}
