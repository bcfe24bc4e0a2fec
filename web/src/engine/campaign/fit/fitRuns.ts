import type { FitChoices, FitDrive, MeasuredJob } from "../../../generated/answers.d.ts";
import type { Scenario } from "../../../scenario/types.ts";
import { unreadable } from "../../rpc/errors.ts";
import type { Campaigns } from "../campaignProtocol.ts";
import { CampaignRunner, type CampaignState, type RunnerSetup } from "../campaignRunner.ts";
import type { ReadFile, ReadLog } from "./fioFiles.ts";

/** A file that was given: what it holds, or why it cannot be read. */
export type MeasuredFile = ReadFile;

/** A log that was given: its series, or why it cannot be read. */
export type MeasuredLog = Pick<ReadLog, "file" | "remarks"> & { readonly log: ReadLog | null };

interface OpenFit {
  /** By job: whether it is held out. */
  readonly heldOut: readonly boolean[];
}

/** Files of measurements. They stay while the fit to them is another one. */
interface Measurements {
  readonly files: readonly MeasuredFile[];
  /** Logs over time: they show what results sum up, and may tell the size of a write cache. */
  readonly logs: readonly MeasuredLog[];
  /** Files that are being read. */
  readonly reading: number;
  /** Null until the engine has reported the defaults. */
  readonly choices: FitChoices | null;
}

/** Files of measurements, and the fit to them. */
export type FitRunsState = CampaignState<"fit"> & OpenFit & Measurements;

const CLOSED: OpenFit = { heldOut: [] };
const NO_FILES: Measurements = { files: [], logs: [], reading: 0, choices: null };

/** The jobs of all files, in order. */
export const jobsOf = (files: readonly MeasuredFile[]): readonly MeasuredJob[] =>
  files.flatMap(({ jobs }) => jobs);

/** The fit of a drive to what fio measured. */
export class FitRuns extends CampaignRunner<"fit", OpenFit, Measurements> {
  /** What the fit that is open is of. */
  private opened: { readonly base: Scenario; readonly of: readonly unknown[] } | null = null;

  constructor(setup?: RunnerSetup) {
    super("fit", CLOSED, NO_FILES, setup);
  }

  /** Reads files of measurements, in place of those of the same names. */
  async add(files: readonly File[]): Promise<void> {
    this.store.setState(({ reading }) => ({ reading: reading + files.length }));
    for (const file of files) {
      const read = await this.measuredFile(file);
      this.store.setState(({ files, reading }) => ({ files: replaced(files, read), reading: reading - 1 }));
    }
  }

  /** Reads logs over time, in place of those of the same names. */
  async addLogs(files: readonly File[]): Promise<void> {
    this.store.setState(({ reading }) => ({ reading: reading + files.length }));
    for (const file of files) {
      const read = await this.measuredLog(file);
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
    const choices = await this.api.fitChoices();
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
    const { files, logs, choices } = this.state;
    const jobs = jobsOf(files);
    if (!this.opened || jobs.length === 0 || !choices) return this.close();
    const read = logs.flatMap(({ log }) => log ?? []);
    const documents = [this.opened.base, jobs, read, choices].map((part) => JSON.stringify(part));
    await this.openWith(() => documents);
  }

  /** Starts the runs, or continues them; a fit that has ended is opened again. */
  override async start(): Promise<void> {
    const { phase } = this.state;
    if (phase === "done" || phase === "failed") await this.openAgain();
    super.start();
  }

  /** The drive that the fit found, under a name. */
  drive(name: string): Promise<FitDrive> {
    const files = this.state.files.filter(({ jobs }) => jobs.length > 0);
    return this.api.drive(
      name,
      files.map(({ file, hash }) => ({ file, hash })),
    );
  }

  /** The drive of a file. */
  readDrive(text: string): Promise<FitDrive> {
    return this.api.readDrive(text);
  }

  protected override ofOpened({ heldOut }: Campaigns["fit"]["opened"]): OpenFit {
    return { heldOut };
  }

  private async measuredFile(file: File): Promise<MeasuredFile> {
    const { name } = file;
    try {
      return await this.api.readFio(new Uint8Array(await file.arrayBuffer()), name);
    } catch (error) {
      return { file: name, version: "", jobs: [], hash: "", remarks: unreadable(name, error) };
    }
  }

  private async measuredLog(file: File): Promise<MeasuredLog> {
    const { name } = file;
    try {
      const log = await this.api.readFioLog(new Uint8Array(await file.arrayBuffer()), name);
      return { file: name, log, remarks: log.remarks };
    } catch (error) {
      return { file: name, log: null, remarks: unreadable(name, error) };
    }
  }
}

/** Files with one more, in the place of that of the same name. */
const replaced = <T extends { readonly file: string }>(files: readonly T[], file: T): readonly T[] => [
  ...files.filter((before) => before.file !== file.file),
  file,
];

/** The fit of this page, whichever view is shown. */
export const fitRuns = new FitRuns();
