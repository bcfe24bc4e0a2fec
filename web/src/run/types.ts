import type { Bottleneck } from "./bottleneck.ts";

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

export interface GraphNode {
  readonly name: string;
  readonly kind: "host" | "switch";
  /** 0 host, 1 edge or leaf, 2 aggregation or spine, 3 core. */
  readonly tier: number;
  /** -1 where the generator has no pods. */
  readonly pod: number;
  /** Position among the nodes of its tier and pod. */
  readonly index: number;
  /** A storage server. */
  readonly storage: boolean;
  readonly x?: number | null;
  readonly y?: number | null;
}

/** One direction of a cable; a cable is two links. */
export interface GraphLink {
  readonly from: number;
  readonly to: number;
  readonly gbps: number;
}

/** Traffic of one class from one host to another; `path` lists link indices in travelling order. */
export interface GraphFlow {
  readonly class: number;
  readonly source: number;
  readonly destination: number;
  readonly path: readonly number[];
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly links: readonly GraphLink[];
  readonly flows: readonly GraphFlow[];
  /** Index of the watched link; negative or absent where there is none. */
  readonly bottleneck: number;
}

/** A storage device, as `layout()` has it. */
export interface RunDevice {
  /** The host that it stands in. */
  readonly node: number;
  /** Its name there. */
  readonly name: string;
  readonly kind: "ssd" | "persistent-memory" | "constant-capacity";
  readonly channels: number;
  /** What works on one command at a time: dies, chips, banks of a memory. */
  readonly units: number;
  /** Its rows have a column for each unit. */
  readonly sampledByUnit: boolean;
}

/** The engine's `layout()` document: everything about a run that does not change while it runs. */
export interface RunLayout {
  readonly version: string;
  readonly hash: string;
  readonly classes: readonly { readonly name: string; readonly transport?: string }[];
  readonly samplePeriodUs: number;
  readonly baseRttUs: number;
  /** A class has converged while Q stays this close to 1. */
  readonly convergenceBand: number;
  readonly warmupUs: number;
  readonly durationUs: number;
  /** Time over which figures of the present are averaged. */
  readonly nowUs: number;
  /** Names of the columns of a sample row, e.g. "timeUs", "queueMaximum", "goodputGbps.0". */
  readonly sampleColumns: readonly string[];
  /** Names of the columns of a row of the connections, e.g. "rateGbps.0": the first 24 of the graph's. */
  readonly flowColumns: readonly string[];
  /** Names of the columns of a class's row of figures, e.g. "carriedGbps", "p99Us". */
  readonly figureColumns: readonly string[];
  /** Stages of a request, in the order in which it passes them. */
  readonly stages: readonly string[];
  /** Names of the columns of a device in its rows; those of its units follow, see `RunView.deviceColumns`. */
  readonly deviceColumns: readonly string[];
  readonly devices: readonly RunDevice[];
  readonly graph: Graph;
}

/** The prediction of the discrete-time model (`dtm()` of the engine). */
export interface ModelOverlay {
  readonly timeUs: ArrayLike<number>;
  readonly classes: readonly {
    readonly throughputGbps: ArrayLike<number>;
    readonly qualityFactor: ArrayLike<number>;
    readonly convergedSlot?: number | null;
    readonly convergedAtUs?: number | null;
  }[];
  readonly queuePackets: ArrayLike<number>;
}

/** Links that are deadlocked by pause frames. */
export interface Deadlock {
  /** When that was noticed: they had been held for two milliseconds by then. */
  readonly seenUs: number;
  /** By number; those of hosts that wait behind the cycle included. */
  readonly links: readonly number[];
}

/** Connections, by number, that leave their path while cables are down, each with the links that it takes; none: no path is left. */
export type Detours = readonly (readonly [flow: number, path: readonly number[]])[];

/** A quality factor came near 1 to stay, went away from it, or came back, as the engine counts it. */
export interface ConvergenceEvent {
  readonly kind: "converged" | "left" | "returned";
  readonly atUs: number;
  /** Base round trips of the class from the event before, or from when it first or again had something to send. */
  readonly rtts: number;
}

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
