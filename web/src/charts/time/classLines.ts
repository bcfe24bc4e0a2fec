import { samplesUntilNow } from "../../run/read.ts";
import type { RunView, Series } from "../../run/types.ts";
import { drawGutter } from "../drawing/gutter.ts";
import {
  drawMarker,
  drawModelLine,
  markerPlaces,
  modelAt,
  type Place,
  type Plot,
  traceSamples,
} from "../drawing/plot.ts";
import type { Mapping } from "../drawing/polyline.ts";
import { type Smoothing, smoothingOf } from "../drawing/smoothing.ts";
import type { Surface } from "../drawing/surface.ts";
import { type ClassStyle, classStyle } from "../drawing/theme.ts";
import type { CursorMark, Readout, TableColumn } from "./chartModel.ts";

/** A quantity that each class has, measured and predicted: what charts of classes with a model have in common. */
export interface ClassQuantity {
  /** The samples of a class. */
  readonly measured: (run: RunView, classIndex: number) => Series | undefined;
  /** Its mean over the last millisecond or so; NaN where there is none. */
  readonly present: (run: RunView, classIndex: number) => number;
  /** Its curve of the model; absent where the model says nothing of it. */
  readonly modelled?: "throughputGbps" | "qualityFactor";
  readonly format: (value: number) => string;
}

/** How the lines of a quantity are smoothed; null where they can be read as they are. */
export function classSmoothing(
  run: RunView,
  plot: Plot,
  quantity: ClassQuantity,
  y: Mapping,
): Smoothing | null {
  const lines = classSeries(run, quantity);
  return smoothingOf(run, plot, lines[0]?.key ?? "", lines, y);
}

/** The samples of all classes that have any. */
export const classSeries = (run: RunView, { measured }: ClassQuantity): Series[] =>
  run.classes.flatMap((_, i) => measured(run, i) ?? []);

/** One line a class, the ghost of an earlier run beneath and the model's over it, then the markers of the lines. */
export function drawClassLines(
  surface: Surface,
  plot: Plot,
  run: RunView,
  ghost: RunView | null | undefined,
  quantity: ClassQuantity,
  y: Mapping,
  smoothing: Smoothing | null,
): void {
  const markers: { readonly style: ClassStyle; readonly place: Place }[] = [];
  const strokeAll = (source: RunView) =>
    source.classes.forEach((item, i) => {
      const values = quantity.measured(source, i);
      if (!values) return;
      const style = classStyle(plot.theme, item.kindIndex);
      const isGhost = source !== run;
      const line = traceSamples(surface, source, plot, values, y, { whole: isGhost, smoothing });
      surface.stroke({
        colour: style.mark,
        width: isGhost ? 1 : 1.75,
        opacity: isGhost ? 0.5 : 1,
        dash: style.dash,
        join: "round",
      });
      if (isGhost) return;
      for (const place of markerPlaces(line, plot, i, run.classes.length)) markers.push({ style, place });
    });
  surface.clipped(plot.left, plot.top - 2, plot.right - plot.left, plot.bottom - plot.top + 4, () => {
    if (ghost) strokeAll(ghost);
    strokeAll(run);
    const { modelled } = quantity;
    if (!modelled) return;
    run.model?.classes.forEach((item, i) => {
      drawModelLine(surface, run, plot, { key: `${modelled}.${i}`, values: item[modelled] }, y);
    });
  });
  for (const { style, place } of markers) drawMarker(surface, plot.theme, style, place.x, place.y);
}

/** Where a class stands in the gutter: at the height of its line, with a second line where there is more to say. */
interface GutterPlace {
  readonly y: number;
  readonly detail?: string;
}

/** Name and present value of each class at the end of its line. */
export function drawClassGutter(
  surface: Surface,
  plot: Plot,
  run: RunView,
  quantity: ClassQuantity,
  place: (classIndex: number) => GutterPlace,
  top?: number,
): void {
  const entries = run.classes.map((item, i) => ({
    style: classStyle(plot.theme, item.kindIndex),
    name: item.name,
    value: quantity.format(presentOf(run, quantity, i)),
    ...place(i),
  }));
  drawGutter(surface, plot, entries, top);
}

/** Value of a class over the last millisecond or so; before there is such a figure, that of the last sample. */
export function presentOf(run: RunView, quantity: ClassQuantity, classIndex: number): number {
  const mean = quantity.present(run, classIndex);
  const hasFigures = run.figures.some(Number.isFinite);
  return Number.isFinite(mean) || hasFigures
    ? mean
    : measuredAt(run, quantity, classIndex, samplesUntilNow(run) - 1);
}

/** What was measured of a class at a sample; NaN where nothing was. */
export const measuredAt = (run: RunView, { measured }: ClassQuantity, i: number, sample: number): number =>
  measured(run, i)?.values[sample] ?? Number.NaN;

/** What the model says of a class at a sample; NaN where it says nothing. */
const modelledAt = (run: RunView, { modelled }: ClassQuantity, i: number, sample: number): number =>
  modelAt(run, modelled && run.model?.classes[i]?.[modelled], run.timeUs[sample] as number);

/** A mark on the line of each class at a sample. */
export const classMarks = (run: RunView, quantity: ClassQuantity, sample: number, y: Mapping): CursorMark[] =>
  run.classes.map(({ kindIndex }, i) => ({ y: y(measuredAt(run, quantity, i, sample)), kindIndex }));

/** Measured, predicted where there is a model, and aimed at, of each class. */
export function classReadout(
  run: RunView,
  quantity: ClassQuantity,
  sample: number,
  target: (classIndex: number) => number,
): Readout {
  const { format } = quantity;
  const hasModel = run.model !== null && quantity.modelled !== undefined;
  return {
    columns: hasModel ? ["measured", "model", "target"] : ["measured", "target"],
    rows: run.classes.map(({ name, kindIndex }, i) => {
      const measured = format(measuredAt(run, quantity, i, sample));
      const model = hasModel ? [format(modelledAt(run, quantity, i, sample))] : [];
      return { name, kindIndex, values: [measured, ...model, format(target(i))] };
    }),
  };
}

/** The column of what was measured of a class. */
export const measuredColumn = (
  run: RunView,
  quantity: ClassQuantity,
  i: number,
  header: string,
): TableColumn => ({
  header,
  value: (sample) => measuredAt(run, quantity, i, sample),
  format: quantity.format,
});

/** The column of what the model says of a class; none without a model. */
export const modelColumns = (
  run: RunView,
  quantity: ClassQuantity,
  i: number,
  header: string,
): TableColumn[] =>
  run.model
    ? [{ header, value: (sample) => modelledAt(run, quantity, i, sample), format: quantity.format }]
    : [];
