/** What fio measured, and what a drive that was fitted to it comes to, as the engine tells it (`wasm-core/crates/rack`). */

/** Requests of a kind that a job made, and how long they took. */
export interface MeasuredOperations {
  readonly requests: number;
  readonly iops: number;
}

/** A job that fio ran. */
export interface MeasuredJob {
  readonly file: string;
  readonly name: string;
  /** What it reads and writes, where fio says so: `/dev/nvme0n1`. */
  readonly device?: string;
  /** Requests outstanding of each clone, and clones that ran at once. */
  readonly iodepth: number;
  readonly numjobs: number;
  readonly runtimeS: number;
  /** How its requests reached the drive, where the file says that it was over a network. */
  readonly access?: "nvme-tcp" | "nvme-rdma";
  readonly reads?: MeasuredOperations;
  readonly writes?: MeasuredOperations;
}

/** How a drive is fitted. */
export interface FitChoices {
  /** One of so many jobs is held out; 0: none. */
  readonly holdOut: number;
  /** Means are matched, and no percentiles. */
  readonly meansAlone: boolean;
  readonly seed: number;
  /** The maximum number of runs. */
  readonly maxRuns: number;
  /** Files of jobs that reached the drive from another host, over NVMe/TCP. */
  readonly remote?: readonly string[];
}

/** How far a fit is. */
export interface FitProgress {
  readonly made: number;
  /** Runs that it takes at most. */
  readonly most: number;
  readonly done: boolean;
}

/** Latencies in microseconds and requests a second, or their errors in per cent; null where nobody knows. */
export interface FitNumbers {
  readonly mean: number | null;
  readonly p50: number | null;
  readonly p99: number | null;
  readonly p999: number | null;
  readonly iops: number | null;
}

/** Pairs of a latency in microseconds and the share of requests that took longer. */
export type Tail = readonly (readonly [us: number, share: number])[];

/** Reads or writes of a job, measured and simulated. */
export interface FitOperation {
  readonly compared: {
    readonly measured: FitNumbers;
    readonly simulated: FitNumbers;
    /** Simulated over measured, less one, in per cent. */
    readonly errors: FitNumbers;
  };
  readonly measuredTail: Tail;
  readonly simulatedTail: Tail;
  readonly measuredRequests: number;
  readonly simulatedRequests: number;
}

export type OperationKind = "reads" | "writes";

/** A job, measured and simulated. */
export interface FitJob {
  /** Its number among the jobs. */
  readonly job: number;
  readonly heldOut: boolean;
  readonly reads: FitOperation | null;
  readonly writes: FitOperation | null;
}

/** Means of absolute errors over some jobs, in per cent. */
export interface FitErrors {
  readonly jobs: number;
  readonly of: FitNumbers;
}

/** A parameter of the drive. */
export interface FitParameter {
  readonly title: string;
  readonly symbol?: string;
  /** Empty: a share. */
  readonly unit: string;
  readonly path: string;
  readonly value: number;
}

/** One that the jobs determine: the interval that they leave it, and the value that it began with. */
export interface FittedParameter extends FitParameter {
  readonly low: number;
  readonly high: number;
  readonly base: number;
  /** The log that tells it, where that is not what the jobs come to. */
  readonly log?: string;
}

/** One that they do not: where its value is from, and why, as a sentence. */
export interface KeptParameter extends FitParameter {
  readonly source: string;
  readonly why: string;
}

/** Whether the jobs match a drive of the model, as sentences. */
export interface FitVerdict {
  readonly matches: boolean;
  readonly sentence: string;
  /** Signs in the files of what was measured beside a drive. */
  readonly reasons: readonly string[];
}

/** What a fit came to. */
export interface FitOutcome {
  readonly verdict: FitVerdict;
  readonly fitted: readonly FittedParameter[];
  readonly kept: readonly KeptParameter[];
  /** The section `storage.ssd` of the drive. */
  readonly ssd: Readonly<Record<string, unknown>>;
  /** Fields beside it that were fitted, by path. */
  readonly beside: Readonly<Record<string, unknown>>;
  readonly jobs: readonly FitJob[];
  readonly errors: FitErrors;
  readonly heldOutErrors: FitErrors | null;
  readonly runs: number;
  readonly seed: number;
}

/** A drive that was fitted, as its file has it. */
export interface FitDrive {
  readonly name: string;
  /** The section `storage.ssd` of a scenario. */
  readonly ssd: Readonly<Record<string, unknown>>;
  /** Fields beside it that were fitted, by path. */
  readonly beside?: Readonly<Record<string, unknown>>;
  /** What it was fitted to, and how well; null where nobody says. */
  readonly evidence: {
    readonly jobs?: readonly { readonly name: string; readonly heldOut: boolean }[];
    readonly errors?: FitErrors;
    readonly heldOutErrors?: FitErrors | null;
  } | null;
}

/** The largest error of a job and where it is; null where there is none. */
export function largestError({ jobs }: FitOutcome): {
  readonly job: number;
  readonly kind: OperationKind;
  readonly of: keyof FitNumbers;
  readonly error: number;
} | null {
  const all = jobs.flatMap((job) =>
    (["reads", "writes"] as const).flatMap((kind) => {
      const errors = job[kind]?.compared.errors;
      if (!errors) return [];
      return COMPARED.flatMap((of) => {
        const error = errors[of];
        return error === null ? [] : [{ job: job.job, kind, of, error }];
      });
    }),
  );
  return all.toSorted((one, other) => Math.abs(other.error) - Math.abs(one.error))[0] ?? null;
}

/** The numbers that are compared of every job. */
export const COMPARED = ["mean", "p50", "p99", "iops"] as const;

/** What a log of fio says of a stretch of time. What it does not say is left out. */
export interface LogWindow {
  /** When it ends, in seconds since the first line. */
  readonly atS: number;
  readonly requests?: number;
  /** The mean in it; its maximum where fio ran with `log_max_value`. */
  readonly mean: number;
  readonly p50?: number;
  readonly p99?: number;
  readonly max?: number;
}

/** A log of fio as a series over time. */
export interface FioLog {
  readonly file: string;
  readonly title: string;
  readonly unit: string;
  readonly reads: readonly LogWindow[];
  readonly writes: readonly LogWindow[];
}
