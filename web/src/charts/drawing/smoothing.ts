import { tickStep } from "d3-array";
import type { RunView, Series } from "../../run/types.ts";
import { restlessness } from "./bins.ts";
import { formatDuration } from "./format.ts";
import { binsOfRun, type Plot } from "./plot.ts";
import type { Mapping } from "./polyline.ts";

/** Lines that are drawn as moving means, because bursts would make them a thicket. */
export interface Smoothing {
  /** Length of the mean, which ends at the instant it is drawn at. */
  readonly us: number;
  /** The same in pixel columns. */
  readonly columns: number;
}

/** The lines of a chart are a thicket when together they go up and down by more pixels than this per pixel of time. */
const THICKET = 18;

/** The mean is taken over a round part of the time axis, which has about so many of them. */
const PARTS = 50;

/**
 * What was found for a run, by chart: how long a stretch of time had lines that are a thicket. Lines that were smoothed once
 * stay so, or they would flicker, until another stretch is looked at.
 */
const thickets = new WeakMap<RunView, Map<string, number>>();

/** How the lines of a chart are smoothed; null where they can be read as they are. */
export function smoothingOf(
  run: RunView,
  plot: Plot,
  chart: string,
  lines: readonly Series[],
  y: Mapping,
): Smoothing | null {
  const known = thickets.get(run) ?? new Map<string, number>();
  thickets.set(run, known);
  const [start, end] = [plot.timeAt(plot.left), plot.timeAt(plot.right)];
  const length = Math.round(end - start);
  if (known.get(chart) !== length) {
    const total = lines.reduce((sum, line) => sum + restlessness(binsOfRun(run, plot, line), y), 0);
    // The first few pixels say nothing about the rest.
    if (total <= THICKET || plot.x(run.nowUs) - plot.left < 40) return null;
    known.set(chart, length);
  }
  const us = tickStep(start, end, PARTS);
  const columns = Math.max(2, Math.round((us / (end - start)) * (plot.right - plot.left)));
  return { us, columns };
}

/** "mean over 20 ms" */
export const smoothingText = ({ us }: Smoothing): string => `mean over ${formatDuration(us)}`;
