import { lowerBound } from "./search.ts";
import type { LatencyView, RunView, Series } from "./types.ts";

/** A column of the samples, or undefined where the engine does not deliver it. */
export function column(run: RunView, name: string, classIndex?: number): Float64Array | undefined {
  return run.columns[classIndex === undefined ? name : `${name}.${classIndex}`];
}

/** A column of one connection, or undefined where the engine does not deliver it. */
function flowColumn(run: RunView, name: string, flow: number): Float64Array | undefined {
  return run.flowColumns[`${name}.${flow}`];
}

/** A column of the samples under a name of its own. */
export function series(run: RunView, name: string, classIndex?: number): Series | undefined {
  const values = column(run, name, classIndex);
  return values && { key: classIndex === undefined ? name : `${name}.${classIndex}`, values };
}

/** As `series`, of one connection. */
export function flowSeries(run: RunView, name: string, flow: number): Series | undefined {
  const values = flowColumn(run, name, flow);
  return values && { key: `connection ${name}.${flow}`, values };
}

/** Connections whose columns the engine delivers: the first of the graph's. */
export function recordedFlows(run: RunView): number {
  const columns = run.layout.flowColumns;
  return columns.reduce((most, name) => Math.max(most, Number(name.split(".")[1]) + 1), 0);
}

type FiguresView = Pick<LatencyView, "figures" | "layout">;

/** One figure of one class; NaN where it does not apply. */
export function figure(run: FiguresView, classIndex: number, name: string): number {
  const position = run.layout.figureColumns.indexOf(name);
  if (position < 0) return Number.NaN;
  return run.figures[classIndex * run.layout.figureColumns.length + position] ?? Number.NaN;
}

/** Mean throughput of each class in Gb/s over the samples since the warm-up; null while there is none or nothing was carried. */
export function measuredGbps(run: RunView): readonly number[] | null {
  const end = samplesUntilNow(run);
  const from = lowerBound(run.timeUs, end, run.layout.warmupUs + run.layout.samplePeriodUs - 1e-6);
  if (from >= end) return null;
  const means = run.classes.map((_, index) => {
    const measured = column(run, "goodputGbps", index)?.subarray(from, end);
    return (measured?.reduce((sum, gbps) => sum + gbps, 0) ?? 0) / (end - from) || 0;
  });
  return means.some((gbps) => gbps > 0) ? means : null;
}

/** Samples in the time that figures of the present are averaged over. */
export const presentSamples = ({ layout }: RunView): number =>
  Math.max(1, Math.round(layout.nowUs / layout.samplePeriodUs));

/** The classes that are offered more than they carry for good; the engine tells. */
export const overloadedClasses = (run: RunView): string[] =>
  run.classes.filter((_, i) => figure(run, i, "backlogGrows") === 1).map(({ name }) => name);

/** Samples up to the playhead; later ones belong to a future that a rewind may abandon. */
export function samplesUntilNow(run: RunView): number {
  return lowerBound(run.timeUs, run.n, run.nowUs + 1e-6);
}
