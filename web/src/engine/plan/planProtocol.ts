import type {
  Burstiness,
  CapacityNeeds,
  LadderSteps,
  LadderTerms,
  PlannedTenant,
  PlannerQuestion,
  StandInLoop,
  SuggestedContract,
  TenantOutcome,
} from "../../generated/answers.d.ts";
import type { Diagnostic } from "../../scenario/types.ts";

export type { StandInLoop as StandIn } from "../../generated/answers.d.ts";

/** A stretch of time that is shown, and in how many parts. */
export type Range = Pick<Extract<PlannerQuestion, { kind: "classes" }>, "fromUs" | "toUs" | "bins">;

/**
 * Messages between the page and the worker that plans. Rates and capacities are in requests a second, times in
 * microseconds. Every message carries the generation of the scenario that it is about, and what follows from contracts
 * the number of the wish that they came with: the page drops what is older than the last.
 */

export type PlanRequest =
  /** A trace for the scenarios to come, as the worker that read it kept it. */
  | { readonly kind: "trace"; readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }
  /** The scenario as JSON. Workloads that are as before are not drawn again. */
  | {
      readonly kind: "load";
      readonly generation: number;
      readonly scenario: string;
      /** Words of the schedulers under which tenants are served side by side, that of the scenario first. */
      readonly schedulers: readonly string[];
      /** What each class carries in the run, for what stands in where nothing arrives by itself; null where that is not asked for. */
      readonly carriedGbps: readonly number[] | null;
    }
  /** The same scenario with other contracts or capacities, as a person may be just drawing them. */
  | { readonly kind: "wish"; readonly generation: number; readonly wish: number; readonly scenario: string }
  /** Which tenant is looked at closely, and when. */
  | {
      readonly kind: "look";
      readonly generation: number;
      readonly tenant: number;
      readonly range: Range;
      readonly ladder: LadderTerms | null;
    }
  /** Gives up what is being computed, until something else is asked. */
  | { readonly kind: "cancel" };

/** What the worker finds out, a part at a time; what is quick comes first. */
export type PlanReply =
  | {
      readonly kind: "loaded";
      readonly generation: number;
      readonly standIns: readonly StandInLoop[];
      readonly tenants: readonly PlannedTenant[];
    }
  | {
      readonly kind: "diagnostics";
      readonly generation: number;
      readonly diagnostics: readonly Diagnostic[];
    }
  | {
      readonly kind: "needs";
      readonly generation: number;
      readonly wish: number;
      readonly needs: CapacityNeeds;
    }
  /** By nested class, what overflows last: requests in every part of the range, one class after the other; and in all. */
  | {
      readonly kind: "decomposed";
      readonly generation: number;
      readonly wish: number;
      readonly tenant: number;
      readonly range: Range;
      readonly counts: readonly number[];
      readonly totals: readonly number[];
    }
  | {
      readonly kind: "windows";
      readonly generation: number;
      readonly tenant: number;
      readonly windows: readonly Burstiness[];
    }
  | {
      readonly kind: "suggestion";
      readonly generation: number;
      readonly tenant: number;
      readonly suggestion: SuggestedContract;
    }
  /** Capacity with which every request of a tenant is answered within its first response time. */
  | {
      readonly kind: "single";
      readonly generation: number;
      readonly wish: number;
      readonly tenant: number;
      readonly iops: number | null;
    }
  | {
      readonly kind: "outcome";
      readonly generation: number;
      readonly wish: number;
      readonly scheduler: string;
      readonly tenants: readonly TenantOutcome[];
    }
  | { readonly kind: "ladder"; readonly generation: number; readonly steps: LadderSteps | null }
  /** What is being computed and how far it is, from 0 to 1; null when nothing is left. */
  | {
      readonly kind: "progress";
      readonly generation: number;
      readonly of: string | null;
      readonly share: number;
    }
  /** The module is gone: out of memory, or it failed. */
  | { readonly kind: "failed"; readonly message: string };
