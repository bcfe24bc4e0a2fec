import type { MetricEntry } from "../../generated/answers.d.ts";
import catalogue from "../../generated/catalogue.json";
import { recordedFlows } from "../../run/read.ts";
import type { RunView } from "../../run/types.ts";
import { fixed, formatGbps, formatPackets, formatQuality } from "../drawing/format.ts";

/** What the page has of a metric (`scripts/lib/catalogue.mjs`). */
type Metric = Pick<MetricEntry, "id" | "title" | "symbol" | "unit" | "series" | "chart">;

/** A quantity of the samples that a chart may show: its column, and how it is named and written. */
export interface Quantity {
  readonly id: string;
  readonly title: string;
  readonly symbol?: string;
  readonly unit: string;
  /** Unit in headers of tables. */
  readonly shortUnit: string;
  readonly column: string;
  /** Of each class and connection, of each storage device, or one for the whole fabric. */
  readonly scope: "classes" | "devices" | "fabric";
  /** Least top of the axis. */
  readonly least: number;
  readonly format: (value: number) => string;
}

const formatCount = (value: number): string => fixed(value, value < 10 && value % 1 !== 0 ? 1 : 0);

/** How numbers of each unit are written; those without one have three decimals. */
const FORMATS: Readonly<Record<string, (value: number) => string>> = {
  "Gb/s": formatGbps,
  packets: formatPackets,
  commands: formatCount,
  blocks: formatCount,
  us: (us) => fixed(us, us < 100 ? 1 : 0),
  "per sample": formatCount,
  links: (links) => fixed(links, 2),
};

const toQuantity = ({ id, title, symbol, unit = "", series, chart }: Metric): Quantity[] =>
  chart
    ? [
        {
          id,
          title,
          ...(symbol && { symbol }),
          unit: chart.legend,
          shortUnit: unit === "us" ? "µs" : unit,
          column: id,
          scope: series.includes("class") ? "classes" : series.includes("device") ? "devices" : "fabric",
          least: chart.least,
          format: FORMATS[unit] ?? ((value) => fixed(value, 3)),
        },
      ]
    : [];

/** Every quantity that a chart over time can show, as the engine's catalogue has them. */
const QUANTITIES: readonly Quantity[] = (catalogue.metrics as unknown as readonly Metric[]).flatMap(
  toQuantity,
);

/** The quantity of a column; throws for one that no chart shows. */
export function quantity(column: string): Quantity {
  const found = QUANTITIES.find((item) => item.column === column);
  if (!found) throw new Error(`no quantity ${column}`);
  return found;
}

/** The quality factor, which has a form of chart of its own, and is named so in links. */
export const QUALITY: Quantity = { ...quantity("qualityFactor"), id: "quality", format: formatQuality };

/** All others, in the order of the menu. */
export const LINES: readonly Quantity[] = QUANTITIES.filter(({ column }) => column !== QUALITY.column);

/** Whether a run has the samples of a quantity for single connections. */
export const isRecordedByFlow = (run: RunView, { column: name, scope }: Quantity): boolean =>
  scope === "classes" && recordedFlows(run) > 0 && run.flowColumns[`${name}.0`] !== undefined;
