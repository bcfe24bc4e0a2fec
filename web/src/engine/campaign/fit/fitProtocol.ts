import type {
  FioLog,
  FioResults,
  FitChoices,
  FitDrive,
  FitOutcome,
  FitProgress,
  MeasuredJob,
} from "../../../generated/answers.d.ts";

export type { FioLog as ReadLog, FioResults } from "../../../generated/answers.d.ts";

/** The same with the hash of what the file contains. */
export interface ReadFile extends FioResults {
  readonly hash: string;
}

/** A file that jobs were read from. */
export type FitSource = Pick<ReadFile, "file" | "hash">;

/** A run that is to be made. */
export interface FitRun {
  readonly id: number;
  readonly document: string;
}

/** What became of a run: what it came to, as JSON, or why there is nothing. */
export type FitRunOutcome =
  | { readonly id: number; readonly simulated: string }
  | { readonly id: number; readonly failure: string };

/** How far a fit is, and what is to be run next; nothing where what is under way decides that. */
export interface FitTurn {
  readonly runs: readonly FitRun[];
  readonly progress: FitProgress;
  /** Null until the fit is done. */
  readonly outcome: FitOutcome | null;
}

/** A fit that the engine has taken. */
export interface OpenedFit {
  /** By job: whether it is held out. */
  readonly heldOut: readonly boolean[];
  readonly progress: FitProgress;
}

/** What the worker of a fit can be asked, and what it answers. One that is asked to `open` has that fit from then on. */
export interface FitQuestions {
  /** How a drive is fitted if nobody says otherwise. */
  choices(): Promise<FitChoices>;
  read(bytes: Uint8Array<ArrayBuffer>, file: string): Promise<ReadFile>;
  readLog(bytes: Uint8Array<ArrayBuffer>, file: string): Promise<FioLog>;
  /** The scenario whose drive it begins with as JSON. */
  open(
    base: string,
    jobs: readonly MeasuredJob[],
    logs: readonly FioLog[],
    choices: FitChoices,
  ): Promise<OpenedFit>;
  /** Takes in what became of runs, and gives out at most so many. */
  turn(outcomes: readonly FitRunOutcome[], most: number): Promise<FitTurn>;
  /** The drive that the fit came to, under a name. */
  drive(name: string, files: readonly FitSource[]): Promise<FitDrive>;
  /** The drive of a file. */
  readDrive(text: string): Promise<FitDrive>;
}
