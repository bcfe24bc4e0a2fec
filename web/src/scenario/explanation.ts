/** What the engine says of a field of a scenario (`catalogue/explain.rs`). */
export interface Explained {
  readonly path: string;
  /** The value in force; null where there is none. */
  readonly value: unknown;
  readonly source: "given" | "default" | "derived";
  /** Where a value that the document does not say comes from: the end of "It is ...". */
  readonly from?: string;
  readonly noEffect?: NoEffect;
  readonly recommended?: Recommended;
  /** Why the value is surely not meant, and what to do: sentences that begin with the name of the field. */
  readonly warning?: string;
}

/** What theory recommends of a field (`catalogue/recommend.rs`). */
export interface Recommended {
  /** Least and greatest of the values that serve. */
  readonly band: readonly [low: number, high: number];
  /** The value to set; null to leave it empty. */
  readonly value: number | null;
  /** The end of "..., because ...". */
  readonly because: string;
}

/** Why a field has no effect, and the change that would give it one. */
export interface NoEffect {
  /** The field moves what the run is measured by: targets, quality factors or the digest. */
  readonly movesTarget?: boolean;
  /** The end of "No effect: ...", without a full stop. */
  readonly reason: string;
  readonly remedy?: { readonly label: string; readonly path: string; readonly value: unknown };
}

/** What the engine says of a scenario. */
export interface Answer {
  readonly fields: readonly Explained[];
  /** Quantities of which nothing can be measured, and why. */
  readonly metrics: readonly { readonly id: string; readonly reason: string }[];
  readonly queues: Queues;
  /** How many nodes the network has. */
  readonly network: { readonly hosts: number; readonly switches: number };
  /** Share of the pages outside free blocks that hold no data; null where no SSD begins in the steady state of garbage collection. */
  readonly effectiveSpareShare: number | null;
}

/** The submission queues of a device (`catalogue/queues.rs`). */
export interface Queues {
  /** Levels that commands have, the most urgent first. */
  readonly levels: readonly QueueLevel[];
  /** By class: what weights aim at for it; null where they aim at nothing for classes. */
  readonly classWeights: readonly number[] | null;
}

/** A level of submission queues. */
export interface QueueLevel {
  readonly level: "urgent" | "high" | "medium" | "low";
  readonly title: string;
  /** Classes whose commands go there, by number; none where storage does not look at classes. */
  readonly classes: readonly number[];
  /** Commands in each round of weighted round robin; null where arbitration weighs nothing. */
  readonly weight: number | null;
}

/** An answer, to be asked by path. */
export interface Explanation {
  /** What is said of a field beyond its own value and its default; undefined where that is all. */
  of(path: string): Explained | undefined;
  /** Why nothing can be measured of a quantity; null where something can. */
  missing(metric: string): string | null;
  readonly queues: Queues;
  readonly network: Answer["network"];
  readonly effectiveSpareShare: number | null;
}

/** Only what a page cannot read from the document and the catalogue: what crosses from the worker of a large scenario stays small. */
export const beyondDocument = ({ fields, ...others }: Answer): Answer => ({
  ...others,
  fields: fields.filter(
    ({ from, noEffect, recommended, warning }) => from ?? noEffect ?? recommended ?? warning,
  ),
});

/** Makes an answer ready to be asked. */
export function explanationOf({ fields, metrics, ...others }: Answer): Explanation {
  const byPath = new Map(fields.map((field) => [field.path, field]));
  const missing = new Map(metrics.map(({ id, reason }) => [id, reason]));
  return { of: (path) => byPath.get(path), missing: (metric) => missing.get(metric) ?? null, ...others };
}

/** Before the engine has said anything. */
export const NO_ANSWER: Answer = {
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
