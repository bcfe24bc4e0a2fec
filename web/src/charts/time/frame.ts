import type { RunView } from "../../run/types.ts";
import { drawAxisLine, drawWarmup, type Plot } from "../drawing/plot.ts";
import type { Surface } from "../drawing/surface.ts";
import { type Tick, timeTicks } from "../drawing/ticks.ts";
import { drawNoteLines } from "../notes/notes.ts";
import type { NoteMark } from "../types.ts";
import type { ChartModel } from "./chartModel.ts";

/** Ticks of the time axis under a plot. */
export const axisTicks = (plot: Plot): Tick[] =>
  timeTicks(plot.timeAt(plot.left), plot.timeAt(plot.right), plot.right - plot.left);

/** A chart over time with what all of them have: the warm-up and notes beneath, and the axis line where the time axis follows. */
export function drawChart(
  surface: Surface,
  plot: Plot,
  run: RunView,
  model: ChartModel,
  notes: readonly NoteMark[] = [],
): void {
  if (model.warmup !== "hidden")
    drawWarmup(surface, plot, run.layout.warmupUs, plot.place.isFirst || model.warmup === "named");
  drawNoteLines(surface, plot, notes);
  model.draw(surface, plot);
  if (plot.place.isLast) drawAxisLine(surface, plot, plot.bottom, axisTicks(plot));
}
