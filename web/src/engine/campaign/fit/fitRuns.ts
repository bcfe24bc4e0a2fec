import { createStore } from "zustand/vanilla";
import type {
  FitChoices,
  FitDrive,
  FitOutcome,
  FitProgress,
  MeasuredJob,
} from "../../../generated/answers.d.ts";
import type { Diagnostic, Scenario } from "../../../scenario/types.ts";
import { EngineRefused, unreadable } from "../../rpc/errors.ts";
import { connect, type WorkerClient } from "../../rpc/workerClient.ts";
import { allWorkersOf, coresHere, RunPool } from "../runPool.ts";
import type { FitQuestions, FitRunOutcome, ReadFile, ReadLog } from "./fitProtocol.ts";

/** A file that was given: what it holds, or why it cannot be read. */
export type MeasuredFile = ReadFile;

/** A log that was given: its series, or why it cannot be read. */
export type MeasuredLog = Pick<ReadLog, "file" | "remarks"> & { readonly log: ReadLog | null };

/** Files of measurements, and how far the fit to them is. */
export interface FitRunsState {
  readonly files: readonly MeasuredFile[];
  /** Logs over time: they show what results sum up, and may tell the size of a write cache. */
  readonly logs: readonly MeasuredLog[];
  /** Files that are being read. */
  readonly reading: number;
  /** Null until the engine has said what they are at first. */
  readonly choices: FitChoices | null;
  /**
   * `none`: there is no job to fit to. `refused`: the engine says why it cannot be fitted. `ready`: nothing is being run yet. `cancelled`:
   * somebody called it off.
   */
  readonly phase: "none" | "opening" | "refused" | "ready" | "running" | "cancelled" | "done" | "failed";
  readonly diagnostics: readonly Diagnostic[];
  /** Why it failed. */
  readonly sentence: string;
  /** By job: whether it is held out. */
  readonly heldOut: readonly boolean[];
  readonly progress: FitProgress | null;
  readonly outcome: FitOutcome | null;
  /** How long it took, in milliseconds. */
  readonly tookMs: number;
  /** Runs side by side. */
  readonly workers: number;
}

export const NO_FIT: FitRunsState = {
  files: [],
  logs: [],
  reading: 0,
  choices: null,
  phase: "none",
  diagnostics: [],
  sentence: "",
  heldOut: [],
  progress: null,
  outcome: null,
  tookMs: 0,
  workers: 0,
};

/** The jobs of all files, in order. */
export const jobsOf = (files: readonly MeasuredFile[]): readonly MeasuredJob[] =>
  files.flatMap(({ jobs }) => jobs);

/** Runs that are given out by worker, so that none waits for the page. */
const AHEAD = 2;

/**
 * The fit of a drive to what fio measured: a worker reads files and says which runs are to be made, a pool makes them. It lives as
 * long as the page, whatever that shows.
 */
export class FitRuns {
  readonly store;
  private asking: WorkerClient<FitQuestions> | null = null;
  private readonly pool: RunPool;
  /** Another one with every fit: what comes of an earlier one is not heard. */
  private generation = 0;
  /** Runs that have ended, which the worker has not been told. */
  private ended: FitRunOutcome[] = [];
  private out = 0;
  private isAsking = false;
  private startedMs = 0;
  /** What the fit that is open is of. */
  private opened: { readonly base: Scenario; readonly of: readonly unknown[] } | null = null;

  constructor(
    private readonly createWorker: () => Worker,
    createRunWorker: ConstructorParameters<typeof RunPool>[1],
    private readonly side: number = allWorkersOf(coresHere()),
  ) {
    this.store = createStore<FitRunsState>()(() => ({ ...NO_FIT, workers: side }));
    this.pool = new RunPool(
      ({ id }, outcome) => {
        const end =
          "failure" in outcome
            ? { id: Number(id), failure: outcome.failure }
            : { id: Number(id), simulated: outcome.json };
        this.ended.push(end);
        this.out--;
        void this.turn();
      },
      createRunWorker,
      side,
      true,
    );
  }

  /** Reads files of measurements, in place of those of the same names. */
  async add(files: readonly File[]): Promise<void> {
    this.store.setState(({ reading }) => ({ reading: reading + files.length }));
    for (const file of files) {
      const read = await this.read(file);
      this.store.setState(({ files, reading }) => ({ files: replaced(files, read), reading: reading - 1 }));
    }
  }

  /** Reads logs over time, in place of those of the same names. */
  async addLogs(files: readonly File[]): Promise<void> {
    this.store.setState(({ reading }) => ({ reading: reading + files.length }));
    for (const file of files) {
      const read = await this.readLog(file);
      this.store.setState(({ logs, reading }) => ({ logs: replaced(logs, read), reading: reading - 1 }));
    }
  }

  /** Forgets a file of results. */
  remove(name: string): void {
    this.store.setState(({ files }) => ({ files: files.filter(({ file }) => file !== name) }));
    this.place(name, false);
  }

  /** Says whether the jobs of a file reached the drive from another host, over NVMe/TCP. */
  place(name: string, isRemote: boolean): void {
    const { remote = [] } = this.state.choices ?? {};
    if (remote.includes(name) === isRemote) return;
    this.choose({ remote: isRemote ? [...remote, name] : remote.filter((file) => file !== name) });
  }

  /** Forgets a log. */
  removeLog(name: string): void {
    this.store.setState(({ logs }) => ({ logs: logs.filter(({ file }) => file !== name) }));
  }

  /** How a drive is fitted at first. */
  async choicesAtFirst(): Promise<FitChoices> {
    const choices = await this.desk.api.choices();
    this.store.setState((state) => ({ choices: state.choices ?? choices }));
    return choices;
  }

  choose(part: Partial<FitChoices>): void {
    this.store.setState(({ choices }) => ({ choices: choices && { ...choices, ...part } }));
  }

  /**
   * Opens the fit of the jobs that there are, beginning with the drive of a scenario. Nothing is run yet. The same jobs and choices from
   * the same beginning, by its name, are the fit that is open.
   */
  async open(base: Scenario, beginning: string): Promise<void> {
    const { files, logs, choices } = this.state;
    const of = [files, logs, choices, beginning];
    if (this.opened?.of.every((part, at) => part === of[at])) return;
    this.opened = { base, of };
    await this.openAgain();
  }

  private async openAgain(): Promise<void> {
    const generation = this.leave();
    const { files, logs, choices } = this.state;
    const jobs = jobsOf(files);
    const hasAll = this.opened && jobs.length > 0 && choices;
    this.store.setState({ ...NO_RESULT, phase: hasAll ? "opening" : "none" });
    if (!hasAll) return;
    try {
      const read = logs.flatMap(({ log }) => log ?? []);
      const opened = await this.desk.api.open(JSON.stringify(this.opened?.base), jobs, read, choices);
      if (generation === this.generation) this.store.setState({ ...opened, phase: "ready" });
    } catch (error) {
      if (generation === this.generation) this.fail(error);
    }
  }

  /** Makes the runs, from the first one on. */
  async start(): Promise<void> {
    const { phase } = this.state;
    if (phase === "done" || phase === "cancelled" || phase === "failed") {
      await this.openAgain();
    }
    if (this.state.phase !== "ready") return;
    this.startedMs = performance.now();
    this.store.setState({ phase: "running" });
    await this.turn();
  }

  /** Ends what is under way. */
  cancel(): void {
    if (this.state.phase !== "running") return;
    this.leave();
    this.store.setState({ phase: "cancelled" });
  }

  /** The drive that the fit came to, under a name. */
  drive(name: string): Promise<FitDrive> {
    return this.desk.api.drive(
      name,
      this.state.files.filter(({ jobs }) => jobs.length > 0).map(({ file, hash }) => ({ file, hash })),
    );
  }

  /** The drive of a file. */
  readDrive(text: string): Promise<FitDrive> {
    return this.desk.api.readDrive(text);
  }

  private get state(): FitRunsState {
    return this.store.getState();
  }

  /** The worker of fits; another one where the last is gone. */
  private get desk(): WorkerClient<FitQuestions> {
    this.asking ??= connect<FitQuestions>(this.createWorker());
    return this.asking;
  }

  /** Leaves the fit that is open, if any, for another generation. */
  private leave(): number {
    this.pool.reset();
    this.ended = [];
    this.out = 0;
    return ++this.generation;
  }

  private async read(file: File): Promise<MeasuredFile> {
    const { name } = file;
    try {
      return await this.desk.api.read(new Uint8Array(await file.arrayBuffer()), name);
    } catch (error) {
      return { file: name, version: "", jobs: [], hash: "", remarks: unreadable(name, error) };
    }
  }

  private async readLog(file: File): Promise<MeasuredLog> {
    const { name } = file;
    try {
      const log = await this.desk.api.readLog(new Uint8Array(await file.arrayBuffer()), name);
      return { file: name, log, remarks: log.remarks };
    } catch (error) {
      return { file: name, log: null, remarks: unreadable(name, error) };
    }
  }

  /** Tells the worker what has ended, and has the pool make what is wanted then. */
  private async turn(): Promise<void> {
    const { generation } = this;
    if (this.isAsking || this.state.phase !== "running") return;
    this.isAsking = true;
    try {
      do {
        const ended = this.ended.splice(0);
        const turn = await this.desk.api.turn(ended, Math.max(0, this.side * AHEAD - this.out));
        if (generation !== this.generation) return;
        this.out += turn.runs.length;
        this.pool.add(turn.runs.map(({ id, document }) => ({ id: `${id}`, scenario: document, traces: [] })));
        const { progress, outcome } = turn;
        const tookMs = performance.now() - this.startedMs;
        this.store.setState({ progress, outcome, tookMs, ...(outcome && { phase: "done" as const }) });
      } while (this.ended.length > 0 && this.state.phase === "running");
    } catch (error) {
      if (generation === this.generation) this.fail(error);
    } finally {
      this.isAsking = false;
      // What was left meanwhile may have been begun anew.
      if (generation !== this.generation) void this.turn();
    }
  }

  /** The fit was refused, or its worker is gone. */
  private fail(error: unknown): void {
    this.leave();
    if (error instanceof EngineRefused) {
      this.store.setState({ phase: "refused", diagnostics: error.diagnostics });
      return;
    }
    const sentence = error instanceof Error ? error.message : String(error);
    this.asking?.end(new Error(sentence));
    this.asking = null;
    this.store.setState({ phase: "failed", sentence });
  }
}

/** Files with one more, in the place of that of the same name. */
const replaced = <T extends { readonly file: string }>(files: readonly T[], file: T): readonly T[] => [
  ...files.filter((before) => before.file !== file.file),
  file,
];

/** Before anything has been run. */
const NO_RESULT = {
  diagnostics: [],
  sentence: "",
  heldOut: [],
  progress: null,
  outcome: null,
  tookMs: 0,
} as const;
