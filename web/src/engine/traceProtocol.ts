/** Messages between the page and the worker that reads a trace. */

/** What is to be read. */
export interface TraceRequest {
  readonly file: File;
  /** Its format by name, or `auto`. */
  readonly format: string;
  /** The volume that is kept; all of them where there is none. */
  readonly volume: string | null;
}

/** Requests and bytes of a trace, or of one of its volumes. */
export interface TraceCounts {
  readonly requests: number;
  readonly reads: number;
  readonly writes: number;
  readonly trims: number;
  readonly meanBytes: number | null;
  readonly readFraction: number | null;
  readonly endAddress: number;
}

/** What the engine says of a trace. */
export interface TraceSummary {
  readonly format: string;
  readonly lines: number;
  readonly spanUs: number;
  readonly counts: TraceCounts;
  readonly kept: number;
  readonly complete: boolean;
  readonly skipped: number;
  readonly reordered: number;
  readonly late: number;
  readonly bad: number;
  readonly badLines: readonly { readonly number: number; readonly reason: string; readonly text: string }[];
  readonly volumeCount: number;
  readonly volumes: readonly (TraceCounts & { readonly name: string })[];
}

export type TraceReply =
  | { readonly kind: "progress"; readonly bytes: number; readonly lines: number }
  | { readonly kind: "read"; readonly summary: TraceSummary; readonly bytes: Uint8Array<ArrayBuffer> }
  /** A sentence. */
  | { readonly kind: "failed"; readonly reason: string };
