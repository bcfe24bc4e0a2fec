/** What the planner finds out. Rates and capacities are in requests a second, times in microseconds. */

/** One nested class: σ, ρ and δ. */
export interface Promised {
  readonly burst: number;
  readonly rateIops: number;
  readonly responseUs: number;
}

/** A stretch of time that is shown, and in how many parts. */
export interface Range {
  readonly fromUs: number;
  readonly toUs: number;
  readonly bins: number;
}

/** A tenant of the scenario. */
export interface PlannedTenant {
  readonly name: string;
  readonly requests: number;
  /** Mean over the run. */
  readonly rateIops: number;
  readonly lastUs: number;
}

/** What a contract needs by the lemma, without a look at any request. */
export interface TenantNeeds {
  /** κ; null without a contract. */
  readonly needIops: number | null;
  /** What binds it, in a few words. */
  readonly binding: string | null;
  /** By nested class: what it asks for at its response time. */
  readonly termsIops: readonly number[];
  /** Beside those before it; null without a capacity of its own or a contract. */
  readonly admitted: boolean | null;
  /** Tightest response time of the innermost class, the others in proportion, beside those admitted before it. */
  readonly tightestResponseUs: number | null;
}

export interface Needs {
  /** Of the server; null where its devices have no constant one. */
  readonly capacityIops: number | null;
  readonly needIops: number;
  readonly leftIops: number | null;
  readonly tenants: readonly TenantNeeds[];
}

/** Burstiness of a workload in windows of one length. */
export interface Burstiness {
  readonly windowUs: number;
  /** Most requests in any such window. */
  readonly most: number;
  /** Variance over mean of its counts; null with fewer than two windows. */
  readonly dispersion: number | null;
}

/** A contract that a workload suggests, and what it takes. */
export interface Suggested {
  /** By nested class: the share of requests wished for. */
  readonly fractions: readonly number[];
  readonly contract: {
    readonly classes: readonly Promised[];
    readonly needIops: number;
    /** With which every request is answered within the first response time. */
    readonly singleLevelIops: number;
  };
}

/** How a tenant fares under a scheduler. */
export interface TenantOutcome {
  /** By nested class: share of all its requests answered within its response time. */
  readonly within: readonly (number | null)[];
  /** By nested class: requests of it that are answered later. */
  readonly late: readonly number[];
  readonly p99Us: number | null;
  /** Pairs of a response time in microseconds and the share that took longer. */
  readonly tail: readonly (readonly [number, number])[];
}

/** What the step function of paper 5 is asked about. */
export interface LadderWish {
  /** a. */
  readonly amount: number;
  readonly first: number;
  readonly second: number;
  /** ψ. */
  readonly end: number;
  /** Length of a step. */
  readonly stepUs: number;
  /** By tenant: number of its group. */
  readonly groups: readonly number[];
}

/** What the tenant that is looked at does under the ladder, step by step from the start of the range, in requests. */
export interface LadderSteps {
  readonly stepUs: number;
  readonly fromUs: number;
  readonly asked: readonly number[];
  readonly share: number;
  readonly allowance: readonly number[];
  readonly sent: readonly number[];
  /** With token buckets of the shares alone. */
  readonly sentByBucket: readonly number[];
  readonly backlog: readonly number[];
  readonly backlogByBucket: readonly number[];
}
