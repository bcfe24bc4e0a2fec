import type {
  Bottleneck,
  ConvergenceEvent,
  GraphFlow,
  ModelOverlay as ModelAnswer,
  ModelCurves,
  RunLayout,
} from "../generated/answers.d.ts";

export type {
  ConvergenceEvent,
  DeviceLayout,
  Graph,
  GraphFlow,
  GraphLink,
  GraphNode,
  RunLayout,
} from "../generated/answers.d.ts";

/**
 * What a run has produced so far, as everything that shows it reads it.
 *
 * The page owns one mutable `RunView` per run (`createRunView` in ./recorder.ts). Readings of the engine append to it and
 * raise `version`; whoever shows it subscribes, or looks again when it draws.
 * Units are in the names: `Us` microseconds, `Gbps` gigabits of payload per second, queues in packets.
 */

/** A class of traffic. `kindIndex` is the number of its identity, see ./identity.ts. */
export interface RunClass {
  readonly name: string;
  readonly kindIndex: number;
}

/** The prediction of the discrete-time model, with NaN where a class takes no part. */
export type ModelOverlay = Omit<ModelAnswer, "classes"> & {
  readonly classes: readonly (Omit<ModelCurves, Curve> & Readonly<Record<Curve, readonly number[]>>)[];
};
type Curve = "throughputGbps" | "qualityFactor";

/** Links that are deadlocked by pause frames. */
export interface Deadlock {
  /** When that was noticed: they had been held for two milliseconds by then. */
  readonly seenUs: number;
  /** By number; those of hosts that wait behind the cycle included. */
  readonly links: readonly number[];
}

/** Connections, by number, that leave their path while cables are down, each with the links that it takes; none: no path is left. */
export type Detours = readonly (readonly [flow: number, path: readonly number[]])[];

/** What is known of a run at the instant that it has come to. */
export interface Present {
  /** Simulated instant of the playhead. */
  readonly nowUs: number;
  /** One row per class, `layout.figureColumns` columns; NaN does not apply. */
  readonly figures: Float64Array;
  /** Per directed link three numbers: utilisation 0..1, queue in packets, share of the time held by a pause 0..1. */
  readonly links: Float32Array;
  /** What devices hold and did since the reading before, one after the other, see ./devices.ts. */
  readonly devices: Float32Array;
  /** Where the time of requests went, see ./stages.ts. */
  readonly stages: Float32Array;
  /** What holds requests back now. */
  readonly bottleneck: Bottleneck;
  /** The first of the run; null before there is one, and when pauses were switched off. */
  readonly deadlock: Deadlock | null;
  /** Per class, pairs [latency in us, share of requests slower], share descending. */
  readonly latency: readonly Float64Array[];
  /** As `latency`, of the time that requests spent in devices. */
  readonly deviceLatency: readonly Float64Array[];
  /** Per class, in order of time: the first 64. */
  readonly convergence: readonly (readonly ConvergenceEvent[])[];
  readonly model: ModelOverlay | null;
}

/**
 * What is new of a run since it was read before: the one shape of it from the engine's worker to the record. Parts that are
 * absent stay as they are.
 */
export interface Reading extends Partial<Present> {
  /** Whole sample rows, row-major, `layout.sampleColumns.length` numbers each. */
  readonly rows?: Float64Array;
  /** As many rows of the connections, `layout.flowColumns.length` numbers each. */
  readonly flowRows?: Float64Array;
  /** As many rows of the devices, `deviceColumnNames(layout).length` numbers each. */
  readonly deviceRows?: Float32Array;
  readonly detours?: Detours;
  /** Of the scenario, which tells its readers something else now. */
  readonly hash?: string;
}

/** A run as it is recorded. Arrays of columns may be longer than `n`: only the first `n` entries are valid. */
export interface RunView extends Present {
  /** Increases with every change of any field below. */
  readonly version: number;
  readonly layout: RunLayout;
  readonly classes: readonly RunClass[];
  /** Samples so far. */
  readonly n: number;
  readonly timeUs: Float64Array;
  /** By the names in `layout.sampleColumns`; an unknown name is undefined. */
  readonly columns: Readonly<Record<string, Float64Array | undefined>>;
  /** Columns of the connections by the names in `layout.flowColumns`, row by row at the same instants. */
  readonly flowColumns: Readonly<Record<string, Float64Array | undefined>>;
  /**
   * Columns of the devices at the same instants: "freeBlocks.0" of the first one, and where it is sampled by unit "busy.0.5"
   * and "gc.0.5", the share of the time that its sixth unit was busy, and busy with garbage collection.
   */
  readonly deviceColumns: Readonly<Record<string, Float32Array | undefined>>;
  /** The connections as they go now: those of the layout, around cables that are down. */
  readonly flows: readonly GraphFlow[];
  /** Calls back after each change of `version`; returns the way to stop. */
  subscribe(listener: () => void): () => void;
}

/** What a run, or something that is none, says of the latency of its classes. */
export type LatencyView = Pick<RunView, "classes" | "latency" | "figures"> & {
  readonly layout: Pick<RunLayout, "figureColumns">;
};

/** Samples of one quantity, under a name that is its own within its owner. */
export interface Series {
  readonly key: string;
  readonly values: ArrayLike<number>;
}
