import { createStore } from "zustand/vanilla";
import type { StudyAnswer, StudyCost, StudyProgress, StudyTable } from "../run/study.ts";
import type { Diagnostic, Scenario } from "../scenario/types.ts";
import type { KeptResults, StudyDocument, Suggestions } from "./studyProtocol.ts";

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

/** What a view asks of the studies of the page. */
export interface Studies {
  open(
    study: StudyDocument,
    scenario: Scenario | null,
    traces: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
  ): Promise<void>;
  start(): void;
  pause(): void;
  resume(): void;
  cancel(): void;
  close(): void;
  suggestions(scenario: Scenario): Promise<Suggestions>;
  scenarioAt(point: number, seed: number): Promise<Scenario>;
  forgetKept(): Promise<void>;
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

/** The study that is open on the page. */
export class StudyRuns {
  readonly store = createStore<StudyRunsState>()(() => NO_STUDY);
}
