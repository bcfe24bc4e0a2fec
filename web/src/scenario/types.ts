import type { Change } from "../generated/answers.d.ts";
import type { Scenario as GeneratedScenario } from "../generated/scenario.d.ts";

export type { Change, Diagnostic, FieldChange } from "../generated/answers.d.ts";

/** Arrays of any length and read-only throughout: scenarios are never changed in place. */
export type Frozen<T> = T extends readonly (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

/** A scenario. The types are generated from the schema that the engine exports. */
export type Scenario = Frozen<Omit<GeneratedScenario, "timeline">> & {
  readonly timeline?: readonly Change[];
};

export type TrafficClass = Scenario["classes"][number];
export type Workload = Scenario["workloads"][number];
export type Shape = Scenario["topology"]["shape"];
export type ShapeKind = Shape["kind"];
export type TransportKind = NonNullable<TrafficClass["transport"]>;
