import type { RunSummary } from "../run/repeats.ts";

/** One run to its end, of a scenario with a seed of its own. */
export interface RepeatRequest {
  readonly id: number;
  readonly scenario: string;
  readonly traces: readonly { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }[];
}

export type RepeatReply =
  | { readonly kind: "done"; readonly id: number; readonly summary: RunSummary }
  /** Share of the run that is simulated. */
  | { readonly kind: "progress"; readonly id: number; readonly part: number }
  | { readonly kind: "failed"; readonly id: number; readonly sentence: string };
