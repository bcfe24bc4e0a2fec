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

/** How long reads, or writes, took when a trace was recorded; null without any. */
export interface RecordedFigures {
  readonly requests: number;
  readonly meanUs: number | null;
  readonly p50Us: number | null;
  readonly p99Us: number | null;
  readonly maxUs: number | null;
}

/** How long requests took when a trace was recorded. */
export interface RecordedLatencies {
  readonly reads: RecordedFigures;
  readonly writes: RecordedFigures;
  /** Pairs of a latency in microseconds and the share of reads and writes that took longer. */
  readonly slower: readonly (readonly [number, number])[];
}

/** What the engine says of a trace. */
export interface TraceSummary {
  readonly format: string;
  readonly lines: number;
  readonly spanUs: number;
  readonly counts: TraceCounts;
  /** Null where the trace does not say. */
  readonly recorded: RecordedLatencies | null;
  readonly kept: number;
  readonly complete: boolean;
  readonly skipped: number;
  /** How the requests were read, where the format leaves a choice, as sentences. */
  readonly remarks: readonly string[];
  readonly reordered: number;
  readonly late: number;
  readonly bad: number;
  readonly badLines: readonly { readonly number: number; readonly reason: string; readonly text: string }[];
  readonly volumeCount: number;
  readonly volumes: readonly (TraceCounts & {
    readonly name: string;
    readonly recorded: RecordedLatencies | null;
  })[];
}

/** The worker that reads a trace, and reports how far it is. */
export interface TraceApi {
  read(
    request: TraceRequest,
    onProgress: (bytes: number, lines: number) => void,
  ): Promise<{ readonly summary: TraceSummary; readonly bytes: Uint8Array<ArrayBuffer> }>;
}
