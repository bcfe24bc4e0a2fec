import type { FioResults } from "../../../generated/answers.d.ts";

export type { FioLog as ReadLog } from "../../../generated/answers.d.ts";

/** What fio wrote into a file, as the engine reads it, with the hash of what the file contains. */
export interface ReadFile extends FioResults {
  readonly hash: string;
}

/** A file that jobs were read from. */
export type FitSource = Pick<ReadFile, "file" | "hash">;
