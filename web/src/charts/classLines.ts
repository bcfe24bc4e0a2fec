import { series } from "../run/read.ts";
import type { RunView } from "../run/types.ts";
import { drawMarker, drawModelLine, markerPlaces, type Place, type Plot, traceSamples } from "./plot.ts";
import type { Mapping } from "./polyline.ts";
import { type Smoothing, smoothingOf } from "./smoothing.ts";
import type { Surface } from "./surface.ts";
import { type ClassStyle, classStyle } from "./theme.ts";

/** Which quantity of a class is drawn: its column of the samples, and its curve of the model. */
export interface ClassQuantity {
  readonly measured: string;
  readonly modelled: "throughputGbps" | "qualityFactor";
}

/** How the lines of a quantity are smoothed; null where they can be read as they are. */
export function classSmoothing(run: RunView, plot: Plot, measured: string, y: Mapping): Smoothing | null {
  const lines = run.classes.flatMap((_, i) => series(run, measured, i) ?? []);
  return smoothingOf(run, plot, measured, lines, y);
}

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
      const values = series(source, quantity.measured, i);
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
    run.model?.classes.forEach((item, i) => {
      const values = item[quantity.modelled];
      drawModelLine(surface, run, plot, { key: `${quantity.modelled}.${i}`, values }, y);
    });
  });
  for (const { style, place } of markers) drawMarker(surface, plot.theme, style, place.x, place.y);
}
