import { createStore, type StoreApi } from "zustand/vanilla";
import type { RunEvent } from "../../run/events.ts";
import type { RunView } from "../../run/types.ts";
import { type Explanation, NOTHING_SAID } from "../../scenario/explanation.ts";
import type { Diagnostic, Scenario } from "../../scenario/types.ts";
import type { Refusal } from "../files/opening.ts";
import type { Phase, Speed, Trapped } from "./protocol.ts";

/** What the page shows of the run; changes with every frame. */
export interface RunState {
  /** A scenario that the engine may run is on the page. */
  readonly begun: boolean;
  readonly generation: number;
  readonly phase: Phase | "loading" | "stopped";
  /** The recording that the charts draw; null before the first run. */
  readonly view: RunView | null;
  /** What the engine said last of the parameters in force. */
  readonly explanation: Explanation;
  /** What the engine warns of in the scenario of this run. */
  readonly warnings: readonly Diagnostic[];
  /** The recording before a restart, until the new one has passed it; that of the old future, as long as the run is forked. */
  readonly ghost: RunView | null;
  /** The run went back and was changed there: it has left its old future. */
  readonly fork: Fork | null;
  readonly nowUs: number;
  /** The event that a step went past or back to last. */
  readonly event: RunEvent | null;
  readonly durationUs: number;
  readonly speed: Speed;
  readonly paced: boolean;
  readonly hopsPerSecond: number;
  /** How long the run will compute on, in words; null where that is soon or not known. */
  readonly forecast: string | null;
  readonly digest: string | null;
  /** Recorded changes that have taken effect. */
  readonly changesInForce: number;
  /** Changes that the engine has not answered yet, by path. */
  readonly pending: Readonly<Record<string, unknown>>;
  /** Counts up about ten times a second while figures change: the pace of tables. */
  readonly tick: number;
  /** What the engine refused last; the run before goes on. */
  readonly diagnostics: readonly Diagnostic[];
  /** A link or a file that was not opened, until somebody has read why. */
  readonly refusal: Refusal | null;
  readonly trapped: StoppedRun | null;
  /** The engine has stopped answering. */
  readonly silent: boolean;
  /** The page was in the background and paused the run. */
  readonly pausedInBackground: boolean;
  /** Names of the traces that the scenario replays and the page does not have: it runs once they are chosen. */
  readonly missingTraces: readonly string[];
  /** A file that may be a trace, until somebody has decided about it. */
  readonly offeredTrace: OfferedTrace | null;
  /** A job file of fio, until somebody has decided whether its jobs are the workloads. */
  readonly offeredJobs: OfferedJobs | null;
}

/** Where a run left its old future. */
export interface Fork {
  readonly atUs: number;
  /** The scenario before the change that did it. */
  readonly before: Scenario;
}

/** A file that may be a trace, and the workload that it is for; none where somebody dropped it on the page. */
export interface OfferedTrace {
  readonly file: File;
  readonly workload: number | null;
}

/** A job file of fio. */
export interface OfferedJobs {
  readonly name: string;
  readonly text: string;
}

/** An engine that is gone, and where its run stood. */
export type StoppedRun = Trapped & { readonly nowUs: number };

export type RunStore = StoreApi<RunState>;

const START: RunState = {
  begun: false,
  generation: 0,
  phase: "loading",
  view: null,
  explanation: NOTHING_SAID,
  warnings: [],
  ghost: null,
  fork: null,
  nowUs: 0,
  event: null,
  durationUs: 1,
  speed: 500,
  paced: true,
  hopsPerSecond: Number.NaN,
  forecast: null,
  digest: null,
  changesInForce: 0,
  pending: {},
  tick: 0,
  diagnostics: [],
  refusal: null,
  trapped: null,
  silent: false,
  pausedInBackground: false,
  missingTraces: [],
  offeredTrace: null,
  offeredJobs: null,
};

export const createRunStore = (): RunStore => createStore<RunState>()(() => START);
