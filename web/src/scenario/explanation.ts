import type { FieldExplanation, NoEffect, ScenarioExplanation } from "../generated/answers.d.ts";

export type { NoEffect, QueueLevel, Recommended } from "../generated/answers.d.ts";

/** An answer, to be asked by path. */
export interface Explanation extends Pick<ScenarioExplanation, "queues" | "network" | "effectiveSpareShare"> {
  /** What is said of a field beyond its own value and its default; undefined where that is all. */
  of(path: string): FieldExplanation | undefined;
  /** Why nothing can be measured of a quantity; null where something can. */
  missing(metric: string): string | null;
}

/** Only what a page cannot read from the document and the catalogue: what crosses from the worker of a large scenario stays small. */
export const beyondDocument = ({ fields, ...others }: ScenarioExplanation): ScenarioExplanation => ({
  ...others,
  fields: fields.filter(
    ({ from, noEffect, recommended, warning }) => from ?? noEffect ?? recommended ?? warning,
  ),
});

/** Makes an answer ready to be asked. */
export function explanationOf({ fields, metrics, ...others }: ScenarioExplanation): Explanation {
  const byPath = new Map(fields.map((field) => [field.path, field]));
  const missing = new Map(metrics.map(({ id, reason }) => [id, reason]));
  return { of: (path) => byPath.get(path), missing: (metric) => missing.get(metric) ?? null, ...others };
}

/** Before the engine has said anything. */
export const NO_ANSWER: ScenarioExplanation = {
  fields: [],
  metrics: [],
  queues: { levels: [], classWeights: null },
  network: { hosts: 0, switches: 0 },
  effectiveSpareShare: null,
};
export const NOTHING_SAID: Explanation = explanationOf(NO_ANSWER);

/** Why some fields that are set together have no effect: only where none of them has one; what is said is said of the first. */
export function noEffectOf(explanation: Explanation, paths: readonly string[]): NoEffect | null {
  const found = paths.map((path) => explanation.of(path)?.noEffect);
  return found.every((item) => item !== undefined) ? (found[0] ?? null) : null;
}

/** What holds while some fields that are set together are empty; undefined where they differ or nothing is known. */
export function emptyValue(explanation: Explanation, paths: readonly string[]): unknown {
  const [first, ...rest] = paths.map((path) => explanation.of(path)?.value);
  return rest.every((value) => value === first) ? first : undefined;
}
