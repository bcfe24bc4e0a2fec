import type { Axis, Ends, Tick } from "./axis.ts";
import { type Surface, textWidth } from "./surface.ts";
import type { Theme } from "./theme.ts";

/** Room around a plot. */
export interface Margins {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The plot area within a drawing, in CSS pixels, y downwards. */
export interface Box {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A plot area with its two axes. */
export interface Frame extends Box {
  readonly x: Axis;
  readonly y: Axis;
}

export const boxOf = (width: number, height: number, margins: Margins): Box => ({
  width,
  height,
  left: margins.left,
  right: Math.max(margins.left + 1, width - margins.right),
  top: margins.top,
  bottom: Math.max(margins.top + 1, height - margins.bottom),
});

/** A plot area with the axes that `axes` makes for its pixels. */
export function frameOf(box: Box, x: (range: Ends) => Axis, y: (range: Ends) => Axis): Frame {
  return { ...box, x: x([box.left, box.right]), y: y([box.bottom, box.top]) };
}

/** Middle of a device-independent pixel, so that a 1 px line is sharp. */
export const crisp = (value: number): number => Math.floor(value) + 0.5;

export function horizontal(surface: Surface, from: number, to: number, y: number): void {
  surface.begin();
  surface.moveTo(from, crisp(y));
  surface.lineTo(to, crisp(y));
}

export function vertical(surface: Surface, x: number, from: number, to: number): void {
  surface.begin();
  surface.moveTo(crisp(x), from);
  surface.lineTo(crisp(x), to);
}

/** Distance of two labels in a row. */
const APART = 8;
/** Of ticks: lengths with a label and without, and where their labels are beside the plot and below it. */
export const TICK = { long: 4, short: 2.5, toLabel: 8, middle: 4, below: 16 } as const;

/** A label, and unless `hasLine` says no a hairline, at each labelled tick of the axis of values. */
export function drawGrid(
  surface: Surface,
  theme: Theme,
  { left, right }: Box,
  { scale, ticks }: Axis,
  hasLine: (tick: Tick) => boolean = () => true,
): void {
  for (const tick of ticks) {
    const { value, label } = tick;
    if (label === "") continue;
    const at = scale(value);
    if (hasLine(tick)) {
      horizontal(surface, left, right, at);
      surface.stroke({ colour: theme.line, width: 1 });
    }
    surface.text({ text: label, colour: theme.t3 }, left - TICK.toLabel, at + TICK.middle, { align: "end" });
  }
}

/** The line of the lower axis with its ticks below; without ticks, if there is no axis. */
export function drawAxisLine(
  surface: Surface,
  theme: Theme,
  { left, right, bottom }: Pick<Box, "left" | "right" | "bottom">,
  x: Axis | null,
): void {
  horizontal(surface, left, right, bottom);
  for (const { value, label } of x?.ticks ?? []) {
    const at = crisp((x as Axis).scale(value));
    surface.moveTo(at, bottom);
    surface.lineTo(at, bottom + (label === "" ? TICK.short : TICK.long));
  }
  surface.stroke({ colour: theme.line2, width: 1 });
}

/** A label below a tick, around its middle. */
export interface AxisLabel {
  readonly value: number;
  readonly text: string;
  readonly x: number;
}

/** Where the labels of a lower axis are: in the drawing, and apart from each other. The last one, which may carry the unit, stays. */
export function placedLabels(
  { scale, ticks }: Axis,
  width: number,
  widthOf: (text: string) => number,
): readonly AxisLabel[] {
  let free = width - 4;
  const placed: AxisLabel[] = [];
  for (const { value, label: text } of ticks.toReversed()) {
    if (text === "") continue;
    const half = widthOf(text) / 2;
    const isLast = placed.length === 0;
    const x = isLast ? Math.min(scale(value), free - half) : scale(value);
    if (x + half > free) continue;
    free = x - half - APART;
    placed.push({ value, text, x });
  }
  return placed.toReversed();
}

/** Labels of the lower axis at a baseline. Returns where they are. */
export function drawAxisLabels(
  surface: Surface,
  theme: Theme,
  { width, bottom }: Pick<Box, "width" | "bottom">,
  x: Axis,
  baseline = bottom + TICK.below,
): readonly AxisLabel[] {
  const labels = placedLabels(x, width, (text) => textWidth(text, theme));
  for (const label of labels) {
    surface.text({ text: label.text, colour: theme.t3 }, label.x, baseline, {
      align: "middle",
      halo: theme.bg,
    });
  }
  return labels;
}

/** The lower axis: line, ticks and labels. */
export function drawAxis(surface: Surface, theme: Theme, box: Box, x: Axis): void {
  drawAxisLine(surface, theme, box, x);
  drawAxisLabels(surface, theme, box, x);
}

/** Both axes. */
export function drawFrame(surface: Surface, theme: Theme, frame: Frame): void {
  drawGrid(surface, theme, frame, frame.y);
  drawAxis(surface, theme, frame, frame.x);
}
