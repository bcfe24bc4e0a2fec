import type { ScenarioExplanation } from "../../generated/answers.d.ts";
import type { RunEvent } from "../../run/events.ts";
import type { Journey } from "../../run/journey.ts";
import type { Operation } from "../../run/stages.ts";
import type { Present, Reading, RunLayout } from "../../run/types.ts";
import type { Change, Diagnostic, FieldChange } from "../../scenario/types.ts";

export type { FieldChange } from "../../scenario/types.ts";

/**
 * Messages between the page and the worker that simulates. Every message of a run carries its generation; the page
 * drops what belongs to a run that was replaced. Times are microseconds of simulated time.
 */

/** Simulated microseconds per second of wall time; Infinity: as fast as possible. */
export type Speed = number;

export type Request =
  | RunRequest
  /** A trace for the runs to come, as the worker that read it kept it. */
  | { readonly kind: "trace"; readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Asks for a sign of life. */
  | { readonly kind: "ping" };

/** About one run, that of its generation. */
export type RunRequest =
  | LoadRequest
  | { readonly kind: "play"; readonly generation: number }
  | { readonly kind: "pause"; readonly generation: number }
  /** Runs on by a stretch of simulated time, then pauses. */
  | { readonly kind: "step"; readonly generation: number; readonly us: number }
  /** Goes to just after the next event and pauses, or asks for the instant just after the last one. */
  | { readonly kind: "event"; readonly generation: number; readonly go: "on" | "back" }
  | { readonly kind: "speed"; readonly generation: number; readonly speed: Speed }
  /** Holds simulated time while a person chooses a value, and lets it go. */
  | { readonly kind: "hold"; readonly generation: number; readonly on: boolean }
  /** Changes live fields at the current instant, all of them or none. */
  | { readonly kind: "change"; readonly generation: number; readonly changes: readonly FieldChange[] }
  /** Takes over what a scenario tells its readers; the run goes on. */
  | { readonly kind: "annotate"; readonly generation: number; readonly scenario: string }
  /** Asks for what the engine sums up of the run so far. */
  | { readonly kind: "summary"; readonly generation: number }
  /** Follows a request that is issued from where the run stands; a newer wish replaces one that is under way. */
  | { readonly kind: "follow"; readonly generation: number; readonly wish: Wish }
  /** The page has taken a frame: another may be sent. */
  | { readonly kind: "taken"; readonly generation: number };

/** Which request is to be followed: the slowest of the next `of` of a class. */
export interface Wish {
  readonly class: number;
  /** Reads only, writes only, or both. */
  readonly operation: Operation;
  readonly of: number;
}

export interface LoadRequest {
  readonly kind: "load";
  readonly generation: number;
  readonly document: Document;
  readonly playing: boolean;
  readonly speed: Speed;
  /** Runs to this instant at once, then goes on as `playing` says. */
  readonly fromUs: number;
  /** Least time between two frames. */
  readonly framePeriodMs: number;
}

/** A scenario to run, as JSON: all of it, or the timeline alone where all else is as in the present run. */
export type Document =
  | { readonly of: "scenario"; readonly json: string }
  | { readonly of: "timeline"; readonly json: string };

export type Phase = "running" | "paused" | "ended";

export type Reply =
  /** A sign of life; the first one says that the worker has loaded the engine. */
  | { readonly kind: "pong"; readonly memoryBytes: number }
  /** From the client itself: the worker has stopped answering, or answers again. */
  | { readonly kind: "silence"; readonly silent: boolean }
  | {
      readonly kind: "loaded";
      readonly generation: number;
      readonly layout: RunLayout;
      /** What is said of its parameters at the start. */
      readonly explanation: ScenarioExplanation;
      /** What is legal in the scenario but surely not meant. */
      readonly warnings: readonly Diagnostic[];
      readonly reading: Reading;
    }
  | Frame
  /** Changes were made: the engine's record of the run so far and to come, and how much of it is in force. */
  | {
      readonly kind: "changed";
      readonly generation: number;
      readonly timeline: readonly Change[];
      readonly changesInForce: number;
    }
  /** What the scenario tells its readers was taken over: it has another hash now. */
  | { readonly kind: "annotated"; readonly generation: number; readonly reading: Reading }
  /** What is said of the parameters now that changes have taken effect, and where connections go now. */
  | {
      readonly kind: "explained";
      readonly generation: number;
      readonly explanation: ScenarioExplanation;
      readonly reading: Reading;
    }
  | {
      readonly kind: "diagnostics";
      readonly generation: number;
      readonly of: "load" | "change" | "annotate";
      readonly diagnostics: readonly Diagnostic[];
    }
  /** What the discrete-time model says of the scenario, changes included. */
  | { readonly kind: "model"; readonly generation: number; readonly reading: Reading }
  /** What was asked for: JSON, as the command line prints it. */
  | { readonly kind: "summary"; readonly generation: number; readonly json: string }
  /** The request that was to be followed; null where none is issued before the end of the run. */
  | { readonly kind: "journey"; readonly generation: number; readonly journey: Journey | null }
  /** The event that a run was brought past, or the last one before it; null where there is none. */
  | {
      readonly kind: "event";
      readonly generation: number;
      readonly go: "on" | "back";
      readonly event: RunEvent | null;
    }
  | Trapped;

/** What is new since the frame before. Typed arrays are transferred, not copied. */
export interface Frame {
  readonly kind: "frame";
  readonly generation: number;
  readonly phase: Phase;
  readonly reading: Reading & Pick<Present, "nowUs">;
  /** Recorded changes that have taken effect. */
  readonly changesInForce: number;
  /** Packet-hops per second of computing; NaN until measured. */
  readonly hopsPerSecond: number;
  /** The chosen speed, not the engine, sets the pace. */
  readonly paced: boolean;
  /** How long the run will compute on, in words of the engine; null where that is soon or not known. */
  readonly forecast: string | null;
  /** Of all results so far; only when the run stands still. */
  readonly digest: string | null;
}

/** The engine is gone: out of memory, or it failed. */
export interface Trapped {
  readonly kind: "trapped";
  readonly generation: number;
  /** Where the run stood; null where the worker could not say. */
  readonly nowUs: number | null;
  readonly message: string;
  readonly outOfMemory: boolean;
  /** The engine never was there: its script or its module did not come. */
  readonly unfetched?: boolean;
  readonly memoryBytes: number;
}
