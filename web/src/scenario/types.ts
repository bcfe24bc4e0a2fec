import type { Scenario as GeneratedScenario } from "../generated/scenario.d.ts";

/** Arrays of any length and read-only throughout: scenarios are never changed in place. */
export type Frozen<T> = T extends readonly (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

/** A recorded change: `path` names a live field such as `switch.ecnThresholdPackets`. */
export interface Change {
  readonly atUs: number;
  readonly path: string;
  readonly value: unknown;
}

/** A scenario. The types are generated from the schema that the engine exports. */
export type Scenario = Frozen<Omit<GeneratedScenario, "timeline">> & {
  readonly timeline?: readonly Change[];
};

export type TrafficClass = Scenario["classes"][number];
export type Workload = Scenario["workloads"][number];
export type Shape = Scenario["topology"]["shape"];
export type ShapeKind = Shape["kind"];
export type TransportKind = NonNullable<TrafficClass["transport"]>;

/** Something wrong with a scenario: where, what, and what to do. The engine lists the first of many. */
export interface Diagnostic {
  readonly path: string;
  readonly reason: string;
  readonly hint: string;
  /** A warning tells of what is legal but surely not meant. Absent: an error. */
  readonly severity?: "error" | "warning";
}
