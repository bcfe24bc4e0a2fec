/** One run to its end: a scenario as JSON, its seed in it. */
export interface RunRequest {
  readonly scenario: string;
  /** Traces that it reads; the worker keeps those that it has been sent before. */
  readonly traces: readonly { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }[];
  /** To measure the machine: ends after about so many events, wherever the run is. */
  readonly mostEvents?: number;
  /** `tails`: the summary has the distributions of latencies. */
  readonly detail?: "kept" | "flows" | "tails";
}

/** The result of a run. */
export interface RunResult {
  /** Its summary, as JSON. */
  readonly json: string;
  readonly events: number;
  /** Simulated time. */
  readonly simulatedUs: number;
  /** Time that the simulation took. */
  readonly ms: number;
}

/** A worker of the pool: it makes one run after the other. */
export interface RunApi {
  /** Sets the function that receives the simulated share of the present run. */
  reportTo(onPart: (part: number) => void): void;
  run(request: RunRequest): RunResult;
}
