import { recordedFlows } from "../run/read.ts";
import type { RunView } from "../run/types.ts";
import { fixed, formatGbps, formatPackets, formatQuality } from "./format.ts";

/** What the chart of choice may show. */
export type QuantityId =
  | "quality"
  | "goodput"
  | "rate"
  | "window"
  | "alpha"
  | "rtt"
  | "notifications"
  | "pauseFrames"
  | "pausedLinks";

/** A quantity of the samples: its column, and how it is named and written. */
export interface Quantity {
  readonly id: QuantityId;
  readonly title: string;
  /** A paper's symbol, after the title. */
  readonly symbol?: string;
  readonly unit: string;
  /** Unit in headers of tables. */
  readonly shortUnit: string;
  readonly column: string;
  /** Of each class and connection, or one for the whole fabric. */
  readonly scope: "classes" | "fabric";
  /** Least top of the axis. */
  readonly least: number;
  readonly format: (value: number) => string;
}

const formatCount = (value: number): string => fixed(value, value < 10 && value % 1 !== 0 ? 1 : 0);
const formatUs = (us: number): string => fixed(us, us < 100 ? 1 : 0);

export const QUANTITIES: readonly Quantity[] = [
  {
    id: "quality",
    title: "Quality factor",
    symbol: "Q",
    unit: "target ÷ achieved",
    shortUnit: "",
    column: "qualityFactor",
    scope: "classes",
    least: 2,
    format: formatQuality,
  },
  {
    id: "rate",
    title: "Sending rate",
    unit: "Gb/s of a connection",
    shortUnit: "Gb/s",
    column: "rateGbps",
    scope: "classes",
    least: 1,
    format: formatGbps,
  },
  {
    id: "goodput",
    title: "Goodput",
    unit: "Gb/s of payload",
    shortUnit: "Gb/s",
    column: "goodputGbps",
    scope: "classes",
    least: 1,
    format: formatGbps,
  },
  {
    id: "window",
    title: "Window",
    symbol: "w",
    unit: "packets of a connection",
    shortUnit: "packets",
    column: "windowPackets",
    scope: "classes",
    least: 10,
    format: formatPackets,
  },
  {
    id: "alpha",
    title: "Marked share",
    symbol: "α",
    unit: "moving average of a connection",
    shortUnit: "",
    column: "alpha",
    scope: "classes",
    least: 0.01,
    format: (value) => fixed(value, 3),
  },
  {
    id: "rtt",
    title: "RTT",
    unit: "µs",
    shortUnit: "µs",
    column: "rttUs",
    scope: "classes",
    least: 10,
    format: formatUs,
  },
  {
    id: "notifications",
    title: "Congestion notifications",
    unit: "CNPs or marked acknowledgements, per sample",
    shortUnit: "per sample",
    column: "notifications",
    scope: "classes",
    least: 4,
    format: formatCount,
  },
  {
    id: "pauseFrames",
    title: "Pause frames",
    unit: "sent by all switches, per sample",
    shortUnit: "per sample",
    column: "pauseFrames",
    scope: "fabric",
    least: 4,
    format: formatCount,
  },
  {
    id: "pausedLinks",
    title: "Paused links",
    unit: "mean over a sample",
    shortUnit: "links",
    column: "pausedLinks",
    scope: "fabric",
    least: 1,
    format: (value) => fixed(value, 2),
  },
];

export function quantity(id: QuantityId): Quantity {
  const found = QUANTITIES.find((item) => item.id === id);
  if (!found) throw new Error(`no quantity ${id}`);
  return found;
}

/** Whether a run has the samples of a quantity for single connections. */
export const isRecordedByFlow = (run: RunView, { column: name, scope }: Quantity): boolean =>
  scope === "classes" && recordedFlows(run) > 0 && run.flowColumns[`${name}.0`] !== undefined;
