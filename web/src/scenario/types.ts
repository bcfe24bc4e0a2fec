import type { Scenario } from "../generated/scenario.d.ts";

export type { Change, Diagnostic, FieldChange } from "../generated/answers.d.ts";
export type { Scenario } from "../generated/scenario.d.ts";

export type TrafficClass = Scenario["classes"][number];
export type Workload = Scenario["workloads"][number];
export type Shape = Scenario["topology"]["shape"];
export type ShapeKind = Shape["kind"];
export type TransportKind = NonNullable<TrafficClass["transport"]>;
