/** One run to its end: a scenario as JSON, its seed in it. */
export interface RunRequest {
  readonly scenario: string;
  /** Traces that it reads; the worker keeps those that it has been sent before. */
  readonly traces: readonly { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }[];
  /** To measure the machine: ends after about so many events, wherever the run is. */
  readonly mostEvents?: number;
}

/** What a worker says of the run that it was given last. */
export type RunReply =
  /** Its summary, as JSON. `ms`: how long the simulation took by itself. */
  | { readonly kind: "done"; readonly json: string; readonly events: number; readonly ms: number }
  /** Share of the run that is simulated. */
  | { readonly kind: "progress"; readonly part: number }
  | { readonly kind: "failed"; readonly sentence: string };
