import type { TraceSummary } from "../../generated/answers.d.ts";

export type {
  RecordedLatencies,
  TraceSummary,
} from "../../generated/answers.d.ts";

/** What is to be read. */
export interface TraceRequest {
  readonly file: File;
  /** Its format by name, or `auto`. */
  readonly format: string;
  /** The volume that is kept; all of them where there is none. */
  readonly volume: string | null;
}

/** The worker that reads a trace, and reports how far it is. */
export interface TraceApi {
  read(
    request: TraceRequest,
    onProgress: (bytes: number, lines: number) => void,
  ): Promise<{ readonly summary: TraceSummary; readonly bytes: Uint8Array<ArrayBuffer> }>;
}
