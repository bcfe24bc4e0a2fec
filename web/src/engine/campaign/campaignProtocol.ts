import type {
  Comparison,
  FigureAnswer,
  FigureRow,
  FitChoices,
  FitDrive,
  FitOutcome,
  Progress,
  StudyAnswer,
  StudyCost,
  StudyPoint,
  StudyProgress,
  StudyTable,
} from "../../generated/answers.d.ts";
import type { StudyDocument, Suggestions } from "../../scenario/study.ts";
import type { Scenario } from "../../scenario/types.ts";
import type { FitSource, ReadFile, ReadLog } from "./fit/fioFiles.ts";
import type { RunRequest } from "./runProtocol.ts";

/** What each kind of campaign reports: once, when it is opened; what changed with new results; in the end. */
export interface Campaigns {
  readonly study: {
    readonly opened: {
      /** The document as the engine reads it, in its present version. */
      readonly document: StudyDocument;
      readonly cost: StudyCost;
      readonly table: StudyTable;
    };
    readonly changed: {
      /** Null if only points of it changed. */
      readonly table: StudyTable | null;
      readonly points: readonly (readonly [row: number, point: StudyPoint])[];
    };
    readonly progress: StudyProgress;
    readonly answer: StudyAnswer;
  };
  readonly figure: {
    readonly opened: object;
    readonly changed: { readonly rows: readonly (FigureRow | null)[] };
    readonly progress: Progress;
    readonly answer: FigureAnswer;
  };
  readonly fit: {
    /** By job: whether it is held out. */
    readonly opened: { readonly heldOut: readonly boolean[] };
    readonly changed: null;
    readonly progress: Progress;
    readonly answer: FitOutcome;
  };
  readonly repeats: {
    readonly opened: object;
    readonly changed: Comparison;
    readonly progress: Progress;
    readonly answer: Comparison;
  };
  /** Single runs; the answer has their summaries in order. */
  readonly runs: {
    readonly opened: object;
    readonly changed: null;
    readonly progress: Progress;
    readonly answer: readonly object[];
  };
}

export type CampaignKind = keyof Campaigns;

/** The documents of a campaign as JSON, in the order of the engine's function for its kind. */
export type CampaignDocuments = readonly (string | undefined)[];

/** A run that is to be made. */
export interface CampaignJob extends Pick<RunRequest, "scenario" | "detail"> {
  readonly id: number;
}

/** The outcome of a run: its summary as JSON, or why there is none. */
export type CampaignOutcome =
  | { readonly id: number; readonly summary: string }
  | { readonly id: number; readonly failure: string };

/** Runs to be made next; none if the runs in progress decide, or the campaign is done. */
export interface CampaignTurn {
  readonly jobs: readonly CampaignJob[];
  /** Number of results that were found in the cache, or made by another window since. */
  readonly recalled: number;
}

/** What changed since the last call. */
export interface CampaignNews<K extends CampaignKind = CampaignKind> {
  readonly changed: Campaigns[K]["changed"];
  readonly progress: Campaigns[K]["progress"];
  /** Null until the campaign is done. */
  readonly answer: Campaigns[K]["answer"] | null;
  readonly kept: KeptResults;
}

/** The result cache of this browser. */
export interface KeptResults {
  readonly count: number;
  readonly bytes: number;
  /** Beyond it those that were used least recently are deleted. */
  readonly limitBytes: number;
  /** Why nothing is kept; null if results are. */
  readonly fault: string | null;
}

/** The worker of a campaign: it holds one, requests its runs, and keeps results for all campaigns. */
export interface CampaignApi {
  open(kind: CampaignKind, documents: CampaignDocuments): Campaigns[CampaignKind]["opened"];
  close(): Promise<void>;
  /** Opens a campaign and closes it again; rejects if the engine refuses it. */
  check(kind: CampaignKind, documents: CampaignDocuments): void;
  /** Reads results from the cache, some of them at a time. */
  recall(): Promise<{ readonly recalled: number; readonly more: boolean }>;
  /** Requests runs, each once. */
  next(max: number): Promise<CampaignTurn>;
  /** Resolves once the results are kept. */
  put(outcomes: readonly CampaignOutcome[]): Promise<void>;
  /** Returns runs that were requested and are not made. */
  giveBack(ids: readonly number[]): void;
  news(): Promise<CampaignNews>;
  kept(): Promise<KeptResults>;
  /** Deletes all results from the cache. */
  forget(): Promise<KeptResults>;

  /** The scenario of a run of a study, by its row and its seed as counted from the first one. */
  scenarioAt(row: number, seed: number): Scenario;
  /** The drive that a fit found. */
  drive(name: string, files: readonly FitSource[]): FitDrive;

  suggest(scenario: string): Suggestions;
  traceHash(bytes: Uint8Array<ArrayBuffer>): string;
  /** Names of the scenarios that a figure needs. */
  figureScenarios(figure: string): readonly string[];
  fitChoices(): FitChoices;
  readFio(bytes: Uint8Array<ArrayBuffer>, file: string): ReadFile;
  readFioLog(bytes: Uint8Array<ArrayBuffer>, file: string): ReadLog;
  readDrive(text: string): FitDrive;
}
