import type { RunView } from "../../run/types.ts";
import { drawAxisLine, horizontal } from "../drawing/frame.ts";
import { drawWarmup, type Plot } from "../drawing/plot.ts";
import type { Surface } from "../drawing/surface.ts";
import { drawNoteLines } from "../notes/notes.ts";
import type { Expectation, NoteMark } from "../types.ts";
import type { ChartModel } from "./chartModel.ts";

const EXPECTED_DASH = [1.5, 3];

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
  if (plot.place.isLast) drawAxisLine(surface, plot.theme, plot, plot.time);
}

/** What somebody expects, as a dotted line across the plot with its label over its end; nothing beyond the axis. */
export function drawExpected(surface: Surface, plot: Plot, model: ChartModel, expected: Expectation): void {
  const y = model.level?.(plot, expected.value);
  if (y === undefined || y < plot.top - 1 || y > plot.bottom + 1) return;
  const { theme } = plot;
  horizontal(surface, plot.left, plot.right, y);
  surface.stroke({ colour: theme.ink, width: 1.5, dash: EXPECTED_DASH });
  const over = y - 5 > plot.top + 8 ? y - 5 : y + 13;
  surface.text({ text: expected.label, colour: theme.ink, bold: true }, plot.right - 4, over, {
    align: "end",
    halo: theme.bg,
  });
}

/** Whether a chart of a unit shows numbers of another: "Gb/s" is that of "Gb/s of payload". */
export const isOfUnit = (unit: string, other: string): boolean =>
  unit === other || unit.startsWith(`${other} `);
