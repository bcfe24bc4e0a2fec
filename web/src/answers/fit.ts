import type {
  FitNumbers,
  FitOperation,
  FitOutcome,
  FittedParameter,
  KeptParameter,
} from "../generated/answers.d.ts";

/** Pairs of a latency in microseconds and the share of requests that took longer. */
export type Tail = FitOperation["measuredTail"];

/** What a parameter of a fit is, whether the jobs determine it or not. */
export type FitParameter = Pick<
  FittedParameter | KeptParameter,
  "title" | "symbol" | "unit" | "path" | "value"
>;

export type OperationKind = "reads" | "writes";

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
