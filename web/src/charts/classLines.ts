import type { Mapping } from "./decimate.ts";
import { drawLineMarkers, drawModelLine, type Plot, traceSamples } from "./plot.ts";
import { column } from "./run.ts";
import type { Surface } from "./surface.ts";
import { classStyle } from "./theme.ts";
import type { RunView } from "./types.ts";

/** Which quantity of a class is drawn: its column of the samples, and its curve of the model. */
export interface ClassQuantity {
  readonly measured: string;
  readonly modelled: "throughputGbps" | "qualityFactor";
}

/** One line a class, the ghost of an earlier run beneath and the model's over it, then the markers of the lines. */
export function drawClassLines(
  surface: Surface,
  plot: Plot,
  run: RunView,
  ghost: RunView | null | undefined,
  quantity: ClassQuantity,
  y: Mapping,
): void {
  surface.clipped(plot.left, plot.top - 2, plot.right - plot.left, plot.bottom - plot.top + 4, () => {
    if (ghost) strokeClasses(surface, plot, ghost, quantity, y, true);
    strokeClasses(surface, plot, run, quantity, y, false);
    run.model?.classes.forEach((item) => {
      drawModelLine(surface, run, plot, item[quantity.modelled], y);
    });
  });
  run.classes.forEach((item, i) => {
    const values = column(run, quantity.measured, i);
    const style = classStyle(plot.theme, item.kindIndex);
    if (values) drawLineMarkers(surface, run, plot, style, i, run.classes.length, values, y);
  });
}

function strokeClasses(
  surface: Surface,
  plot: Plot,
  source: RunView,
  quantity: ClassQuantity,
  y: Mapping,
  ghostly: boolean,
): void {
  source.classes.forEach((item, i) => {
    const values = column(source, quantity.measured, i);
    if (!values) return;
    const style = classStyle(plot.theme, item.kindIndex);
    traceSamples(surface, source, plot, values, y, ghostly);
    surface.stroke({
      colour: style.mark,
      width: ghostly ? 1 : 1.75,
      opacity: ghostly ? 0.5 : 1,
      dash: style.dash,
      join: "round",
    });
  });
}
