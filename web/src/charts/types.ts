import type { Spot } from "../run/journey.ts";
import type { LatencyView, RunClass, RunView } from "../run/types.ts";
import type { SharedAxis } from "./time/chartModel.ts";
import type { Stretch, TimeZoom } from "./time/timeRange.ts";

/** What every chart takes as props. What they draw is in ../run/types.ts; units are in the names. */

/** A recorded change or milestone: dotted vertical line through the stacked charts. */
export interface ChangeEvent {
  readonly timeUs: number;
  readonly label: string;
}

/** A remark on the run, with the number that its marks have. */
export interface NoteMark {
  readonly number: number;
  readonly text: string;
  /** The instant that it is about; null where it is about none. */
  readonly timeUs: number | null;
  /** The name of the node that it is about. */
  readonly node: string | null;
}

/** ECN threshold K in force from `fromUs` on; `delayUs` is K at line rate. */
export interface ThresholdStep {
  readonly fromUs: number;
  readonly packets: number;
  readonly delayUs: number;
}

/** A number that somebody expects: a dotted line in the charts that show its quantity. */
export interface Expectation {
  readonly value: number;
  readonly unit: string;
  /** Stands beside the line. */
  readonly label: string;
}

/** Space left and right of the plot; the scrubber uses the same to stand under it. Desk 56/120, tablet 44/124, phone 44/108. */
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

/** What is set at the watched port. */
export interface PortSettings {
  /** History of K, oldest first; empty where no class reacts to marks. */
  readonly thresholds: readonly ThresholdStep[];
  /** Its buffer in packets, which bounds the axis of the queue; zero where it has no bound of its own. */
  readonly bufferPackets: number;
}

/** Where a chart stands among those stacked over one time axis. */
export interface StackPlace {
  readonly isFirst: boolean;
  /** The time axis stands under it. */
  readonly isLast: boolean;
}

/** What every chart over time takes: data and size. */
export interface TimeChartProps {
  readonly run: RunView;
  /** Shown time range; the same for every stacked chart. */
  readonly domainUs: Stretch;
  /** Changes it; absent where the charts always show the whole run. */
  readonly zoom?: TimeZoom | undefined;
  readonly gutters: Gutters;
  readonly cursor: TimeCursor;
  /** CSS pixels, title included. Width follows the parent. */
  readonly height: number;
  /** By default alone. */
  readonly place?: StackPlace;
  readonly events?: readonly ChangeEvent[];
  /** Those of instants are lines through the charts. */
  readonly notes?: readonly NoteMark[];
  readonly port?: PortSettings;
  /** Drawn where the chart has its unit. */
  readonly expected?: Expectation | null;
  /** Baseline or abandoned future, drawn at half strength. */
  readonly ghost?: RunView | null;
  /** What it shares with the same chart of other runs. */
  readonly axis?: SharedAxis;
  readonly stamp?: ExportStamp;
}

/** Height 24 by default; stands under the last stacked chart. */
export interface TimeAxisProps {
  readonly domainUs: Stretch;
  /** Double click on the axis shows the whole run. */
  readonly zoom?: TimeZoom | undefined;
  readonly gutters: Gutters;
  readonly height?: number;
  /** Draws the axis line itself; by default false, because the last of the stacked charts has one. */
  readonly line?: boolean;
  /** Continues the playhead and the cursor of the charts above. */
  readonly run?: RunView;
}

/** What a chart of latency is of. */
export interface LatencySubject {
  readonly id: string;
  readonly title: string;
}

/** What the curves of latency are drawn from. */
export interface LatencyCurves {
  /** Of whose `latency` the curves are. */
  readonly run: LatencyView;
  /** Latency targets as vertical references. */
  readonly deadlines?: readonly { readonly classIndex: number; readonly latencyUs: number }[];
  /** Another run drawn thinner, for comparison. */
  readonly ghost?: LatencyView | null;
  /** A latency in microseconds, or any other number, which is not drawn. */
  readonly expected?: Expectation | null;
}

export interface LatencyChartProps extends LatencyCurves {
  readonly run: RunView;
  /** What the latency is of; by default of requests. */
  readonly of?: LatencySubject;
  readonly height: number;
  readonly ghost?: RunView | null;
  /** Runs beside it, of which a chart has the same axis. */
  readonly beside?: readonly RunView[];
  readonly stamp?: ExportStamp;
}

/** A stage of a request's life with one value per class; NaN does not apply. */
export interface Stage {
  readonly id: string;
  readonly name: string;
  readonly valuesUs: readonly number[];
  /** What happens in it, what makes it long, and how long it is now. */
  readonly hint: string;
  /** By class: no stage takes longer. */
  readonly isLongest: readonly boolean[];
}

export interface StageMatrixProps {
  readonly classes: readonly RunClass[];
  readonly stages: readonly Stage[];
  /** Total row, the sums of the stages; NaN does not apply. */
  readonly totalsUs: readonly number[];
  /** What the cells hold, for the caption: "mean", "slowest 1 % of reads". */
  readonly statistic: string;
  /** Written in milliseconds instead of microseconds. */
  readonly inMs: boolean;
}

/** Generator of the fabric: picks the layout of the picture. */
export type FabricKind = "fat-tree" | "leaf-spine" | "dumbbell" | "custom";

/**
 * How much larger than its frame a fabric is laid out, and which point of that the frame begins with, in widths and heights of the
 * frame.
 */
export interface Magnified {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

export interface FabricViewProps {
  readonly run: RunView;
  readonly kind: FabricKind;
  readonly height: number;
  /** K in packets: tick on the bottleneck's queue bar and half of every bar's scale. */
  readonly thresholdPackets?: number | undefined;
  /** Dots along the paths; pass true only when the speed is at most 1 ms per second. */
  readonly packets?: boolean;
  /** Static counts instead of moving dots. */
  readonly reducedMotion?: boolean;
  /** Cables that are down, by the names of their ends. */
  readonly failed?: readonly { readonly from: string; readonly to: string }[];
  /** Switches may send pause frames: tables and readouts speak of them. */
  readonly pauses?: boolean;
  /** Ink by utilisation, or parallel strands by class. */
  readonly colouring?: "utilisation" | "classes";
  /** Shows the tables Nodes, Links and Paths instead of the picture. */
  readonly showTables?: boolean;
  /** T inside the picture or the tables. */
  readonly onToggleTables?: () => void;
  readonly onSelectNode?: (node: number) => void;
  /** Which nodes may be selected; all by default. */
  readonly isSelectable?: (node: number) => boolean;
  readonly onSelectLink?: (link: number) => void;
  /** What is shown of the fabric; all of it by default. */
  readonly magnified?: Magnified;
  /** Something else of it is asked for. Without this it cannot be zoomed. */
  readonly onMagnify?: (magnified: Magnified) => void;
  /** Those of nodes have marks there. */
  readonly notes?: readonly NoteMark[];
  /** Number of the note that is chosen: its node is ringed. */
  readonly chosenNote?: number | null;
  readonly onChooseNote?: (number: number) => void;
  /** A request that is followed, in the place of the dots. */
  readonly followed?: FollowedPackets | null;
  readonly stamp?: ExportStamp;
}

/** Where the packets of a request are, and what goes on in the device that it is at. */
export interface FollowedPackets {
  readonly classIndex: number;
  readonly spots: readonly Spot[];
  readonly work: { readonly node: number; readonly text: string } | null;
}
