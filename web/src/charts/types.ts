/**
 * What the charts read and what every chart takes as props.
 *
 * The page owns one mutable `RunView` per run (`createRunView` in ./run.ts). Frames append to it and raise
 * `version`; charts subscribe and redraw their canvas at most once per animation frame, without React.
 * Units are in the names: `Us` microseconds, `Gbps` gigabits of payload per second, queues in packets.
 */

/** A class of traffic. `kindIndex` picks colour, dash and marker: 0 High, 1 Medium, 2 Low, 3 PM, 4 Best effort, 5+ user-made. */
export interface ChartClass {
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
  /** A storage server is drawn as a cylinder. */
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
  readonly graph: Graph;
}

/** The prediction of the discrete-time model (`dtm()` of the engine), drawn as a thin ink line. */
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

/** A quality factor came near 1 to stay, went away from it, or came back, as the engine counts it. */
export interface ConvergenceEvent {
  readonly kind: "converged" | "left" | "returned";
  readonly atUs: number;
  /** Base round trips of the class from the event before, or from when it first or again had something to send. */
  readonly rtts: number;
}

/** Columnar data of a run. Arrays may be longer than `n`: only the first `n` entries are valid. */
export interface RunView {
  /** Increases with every change of any field below. */
  readonly version: number;
  readonly layout: RunLayout;
  readonly classes: readonly ChartClass[];
  /** Samples so far. */
  readonly n: number;
  readonly timeUs: Float64Array;
  /** By the names in `layout.sampleColumns`; an unknown name is undefined. */
  readonly columns: Readonly<Record<string, Float64Array | undefined>>;
  /** Columns of the connections by the names in `layout.flowColumns`, row by row at the same instants. */
  readonly flowColumns: Readonly<Record<string, Float64Array | undefined>>;
  /** Simulated instant of the playhead. */
  readonly nowUs: number;
  /** One row per class, `layout.figureColumns` columns; NaN does not apply. */
  readonly figures: Float64Array;
  /** Per directed link three numbers: utilisation 0..1, queue in packets, share of the time held by a pause 0..1. */
  readonly links: Float32Array;
  /** The first of the run; null before there is one, and when pauses were switched off. */
  readonly deadlock: Deadlock | null;
  /** Per class, pairs [latency in us, share of requests slower], share descending. */
  readonly latency: readonly Float64Array[];
  /** Per class, in order of time: the first 64. */
  readonly convergence: readonly (readonly ConvergenceEvent[])[];
  readonly model: ModelOverlay | null;
  /** Calls back after each change of `version`; returns the way to stop. */
  subscribe(listener: () => void): () => void;
}

/** A recorded change or milestone: dotted vertical line through the stacked charts. */
export interface ChangeEvent {
  readonly timeUs: number;
  readonly label: string;
}

/** ECN threshold K in force from `fromUs` on; `delayUs` is K at line rate. */
export interface ThresholdStep {
  readonly fromUs: number;
  readonly packets: number;
  readonly delayUs: number;
}

/** Space left and right of the plot; the scrubber uses the same to stand under it. Desk 56/120, tablet 44/112, phone 44/108. */
export interface Gutters {
  readonly left: number;
  readonly right: number;
}

/** What an exported file says about its origin. */
export interface ExportStamp {
  readonly scenario: string;
  readonly hash: string;
  readonly seed: number | string;
  readonly engineVersion: string;
}

/** The one time cursor of all stacked charts (`createTimeCursor` in ./cursor.ts). */
export interface TimeCursor {
  /** Sample index under the cursor, or null. */
  get(): number | null;
  set(sample: number | null): void;
  subscribe(listener: () => void): () => void;
}

/** Props that the stacked time charts share. */
export interface TimeChartProps {
  readonly run: RunView;
  /** Shown time range; the same for every stacked chart and the scrubber. */
  readonly domainUs: readonly [number, number];
  readonly gutters: Gutters;
  readonly cursor: TimeCursor;
  /** CSS pixels, title included. Width follows the parent. */
  readonly height: number;
  readonly events?: readonly ChangeEvent[];
  /** Baseline or abandoned future, drawn at half strength. */
  readonly ghost?: RunView | null;
  readonly stamp?: ExportStamp;
}

export interface ThroughputChartProps extends TimeChartProps {
  /** Top of the y axis in Gb/s; by default from the targets. Grows only when exceeded. */
  readonly maximumGbps?: number;
}

export type QualityChartProps = TimeChartProps;

export interface QueueChartProps extends TimeChartProps {
  /** History of K, oldest first; empty where no class reacts to marks. */
  readonly thresholds: readonly ThresholdStep[];
  /** Buffer of the port in packets; bounds the y axis. */
  readonly bufferPackets?: number;
  /** Draws the model's queue too; off by default, since it is ink on ink. Readout and table always have it. */
  readonly showModel?: boolean;
  /** Port as words, e.g. "port e3.0 to s12". */
  readonly port?: string;
}

/** Height 24 by default; stands under the last stacked chart. */
export interface TimeAxisProps {
  readonly domainUs: readonly [number, number];
  readonly gutters: Gutters;
  readonly height?: number;
  /** Draws the axis line itself; by default false, because the queue chart above has one. */
  readonly line?: boolean;
  /** Continues the playhead and the cursor of the charts above. */
  readonly run?: RunView;
}

export interface LatencyChartProps {
  readonly run: RunView;
  readonly height: number;
  /** Latency targets as vertical references. */
  readonly deadlines?: readonly { readonly classIndex: number; readonly latencyUs: number }[];
  /** Another run drawn thinner, for comparison. */
  readonly ghost?: RunView | null;
  readonly stamp?: ExportStamp;
}

/** A stage of a request's life with one value per class; NaN does not apply. */
export interface Stage {
  readonly name: string;
  readonly valuesUs: readonly number[];
  readonly hint?: string;
}

export interface StageMatrixProps {
  readonly classes: readonly ChartClass[];
  readonly stages: readonly Stage[];
  /** Total row; NaN does not apply (a sum of percentiles is not a percentile). */
  readonly totalsUs: readonly number[];
  /** What the cells hold, for the caption: "mean" or "p99". */
  readonly statistic: string;
  /** Written in milliseconds instead of microseconds. */
  readonly inMs: boolean;
}

/** Generator of the fabric: picks the layout of the picture. */
export type FabricKind = "fat-tree" | "leaf-spine" | "dumbbell" | "custom";

export interface FabricViewProps {
  readonly run: RunView;
  readonly kind: FabricKind;
  readonly height: number;
  /** K in packets: tick on the bottleneck's queue bar and half of every bar's scale. */
  readonly thresholdPackets?: number;
  /** Dots along the paths; pass true only when the speed is at most 1 ms per second. */
  readonly packets?: boolean;
  /** Static counts instead of moving dots. */
  readonly reducedMotion?: boolean;
  /** Switches may send pause frames: tables and readouts speak of them. */
  readonly pauses?: boolean;
  /** Ink by utilisation, or parallel strands by class. */
  readonly colouring?: "utilisation" | "classes";
  /** Shows the tables Nodes, Links and Paths instead of the picture. */
  readonly showTables?: boolean;
  /** T inside the picture or the tables. */
  readonly onToggleTables?: () => void;
  readonly onSelectNode?: (node: number) => void;
  readonly onSelectLink?: (link: number) => void;
  readonly stamp?: ExportStamp;
}
