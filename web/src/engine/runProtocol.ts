import type { RunSummary } from "../run/repeats.ts";

/** One run to its end: a scenario as JSON, its seed in it, with the traces that it reads. */
export interface RunRequest {
  readonly scenario: string;
  readonly traces: readonly { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }[];
}

/** What a worker says of the run that it was given last. */
export type RunReply =
  /** `ms`: how long the simulation took by itself. */
  | { readonly kind: "done"; readonly summary: RunSummary; readonly ms: number }
  /** Share of the run that is simulated. */
  | { readonly kind: "progress"; readonly part: number }
  | { readonly kind: "failed"; readonly sentence: string };
