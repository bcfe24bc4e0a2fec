import { fixed } from "../drawing/format.ts";
import { crisp, horizontal, REFERENCE_DASH, vertical } from "../drawing/plot.ts";
import { type Surface, textWidth } from "../drawing/surface.ts";
import type { Theme } from "../drawing/theme.ts";
import { roundTicks, type Tick } from "../drawing/ticks.ts";
import { plainNumber } from "./studyText.ts";

/** An axis of a scatter: numbers between two ends, or words side by side. */
export interface ScatterAxis {
  readonly from: number;
  readonly to: number;
  readonly scale: "even" | "log";
  /** Words, at 0, 1, 2 …; null for numbers. */
  readonly words: readonly string[] | null;
}

/** How a mark looks: what is thought of the point that it stands for. */
export type ScatterLook = "open" | "beaten" | "misses" | "leading";

/** A mark: something that was tried. */
export interface ScatterMark {
  /** What it stands for, by its place. */
  readonly point: number;
  readonly x: number;
  /** Null: not known yet. It stands on the axis. */
  readonly y: number | null;
  readonly look: ScatterLook;
  /** Stands beside it. */
  readonly label?: string;
}

/** A line across the plot with its name. */
export interface ScatterLine {
  readonly value: number;
  readonly label: string;
}

export interface ScatterPicture {
  readonly x: ScatterAxis;
  readonly y: ScatterAxis;
  readonly marks: readonly ScatterMark[];
  /** Lines that stand, as the present value. */
  readonly upright: readonly ScatterLine[];
  /** Lines that lie, as the bound of a target. */
  readonly level: readonly ScatterLine[];
  /** Points of a curve through some of the marks. */
  readonly curve?: readonly { readonly x: number; readonly y: number }[];
  /** The unit at the right end of the lower axis. */
  readonly unit: string;
}

const LEFT = 56;
const RIGHT = 24;
const TOP = 44;
const BELOW = 36;
/** About the room that the name of a mark takes. */
const NAME = 88;
const LINE = 14;
/** Radius of a mark by how it looks. */
const RADIUS: Readonly<Record<ScatterLook, number>> = { misses: 2.6, beaten: 3, open: 3.2, leading: 4.6 };

export interface ScatterPlot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: (value: number) => number;
  readonly y: (value: number | null) => number;
}

/** Where a value stands on an axis, from 0 to 1; what lies beyond its ends stands at them. */
function share({ from, to, scale, words }: ScatterAxis, value: number): number {
  if (words) return (value + 0.5) / Math.max(words.length, 1);
  if (from === to) return 0.5;
  const at = scale === "log" ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
  return Math.min(1, Math.max(0, at));
}

export function scatterPlot(width: number, height: number, { x, y }: ScatterPicture): ScatterPlot {
  const [left, right, top, bottom] = [LEFT, Math.max(LEFT + 1, width - RIGHT), TOP, height - BELOW];
  return {
    left,
    right,
    top,
    bottom,
    x: (value) => left + share(x, value) * (right - left),
    y: (value) => (value === null ? bottom : bottom - share(y, value) * (bottom - top)),
  };
}

/** The mark nearest to a place, no further than a finger is wide. */
export function markAt(plot: ScatterPlot, { marks }: ScatterPicture, x: number, y: number): number | null {
  let nearest: number | null = null;
  let least = 18 ** 2;
  marks.forEach((mark, place) => {
    const distance = (plot.x(mark.x) - x) ** 2 + (plot.y(mark.y) - y) ** 2;
    if (distance > least) return;
    least = distance;
    nearest = place;
  });
  return nearest;
}

/** What is said of the marks above the upper end of the axis: "3 above, up to 90 000"; null if there are none. */
export function aboveText({ y, marks }: ScatterPicture): string | null {
  const above = marks.flatMap((mark) => (mark.y !== null && mark.y > y.to ? [mark.y] : []));
  return above.length === 0 ? null : `${above.length} above, up to ${plainNumber(Math.max(...above))}`;
}

/** About so many round values of an axis. */
export function scatterTicks({ from, to, scale, words }: ScatterAxis, count: number): readonly Tick[] {
  if (words) return words.map((label, value) => ({ value, label }));
  if (scale === "even" || from <= 0) return roundTicks(from, to, count);
  const all: number[] = [];
  for (let decade = 10 ** Math.floor(Math.log10(from)); decade <= to; decade *= 10) {
    for (const multiple of [1, 2, 5]) {
      const value = multiple * decade;
      if (value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9)) all.push(value);
    }
  }
  // A range within a decade has hardly a round value of 1, 2 and 5.
  if (all.length < 2) return roundTicks(from, to, count);
  const every = Math.ceil(all.length / count);
  return all
    .filter((_, place) => place % every === 0)
    .map((value) => ({ value, label: fixed(value, Math.max(0, -Math.floor(Math.log10(value) + 1e-9))) }));
}

/** What was tried, by one of its values and by what that gave. */
export function drawScatter(
  surface: Surface,
  theme: Theme,
  width: number,
  height: number,
  picture: ScatterPicture,
): void {
  const plot = scatterPlot(width, height, picture);
  const { left, right, top, bottom } = plot;
  for (const { value, label } of scatterTicks(picture.y, 4)) {
    const y = plot.y(value);
    horizontal(surface, left, right, y);
    surface.stroke({ colour: theme.line, width: 1 });
    surface.text({ text: label, colour: theme.t3 }, left - 8, y + 4, { align: "end" });
  }
  for (const { value, label } of picture.level) {
    horizontal(surface, left, right, plot.y(value));
    surface.stroke({ colour: theme.t2, width: 1, dash: REFERENCE_DASH });
    surface.text({ text: label, colour: theme.t2 }, right, plot.y(value) - 5, {
      align: "end",
      halo: theme.bg,
    });
  }
  for (const { value, label } of picture.upright) {
    const x = plot.x(value);
    vertical(surface, x, top - 6, bottom);
    surface.stroke({ colour: theme.t2, width: 1, dash: REFERENCE_DASH });
    const isLate = x > (left + right) / 2;
    surface.text({ text: label, colour: theme.ink, bold: true }, isLate ? x - 5 : x + 5, top + 2, {
      align: isLate ? "end" : "start",
      halo: theme.bg,
    });
  }
  if (picture.curve) {
    surface.begin();
    picture.curve.forEach((at, place) => {
      if (place === 0) surface.moveTo(plot.x(at.x), plot.y(at.y));
      else surface.lineTo(plot.x(at.x), plot.y(at.y));
    });
    surface.stroke({ colour: theme.ink, width: 1.75 });
  }
  for (const look of ["misses", "beaten", "open", "leading"] as const) {
    for (const mark of picture.marks) {
      if (mark.look !== look) continue;
      drawScatterMark(surface, theme, look, plot.x(mark.x), plot.y(mark.y));
      if (mark.y !== null && mark.y > picture.y.to) drawArrow(surface, theme, plot.x(mark.x), top);
    }
  }
  const above = aboveText(picture);
  if (above) surface.text({ text: `↑ ${above}`, colour: theme.t2 }, left + 4, top - 12, { halo: theme.bg });
  const placed: { readonly at: number; readonly y: number }[] = [];
  for (const { x, y, label } of picture.marks) {
    if (label === undefined) continue;
    const at = plot.x(x);
    const isLate = at > (left + right) / 2;
    // Names of marks that stand close together stand one above the other.
    let high = plot.y(y) - 6;
    while (placed.some((other) => Math.abs(other.at - at) < NAME && Math.abs(other.y - high) < LINE))
      high -= LINE;
    placed.push({ at, y: high });
    surface.text({ text: label, colour: theme.ink, bold: true }, isLate ? at - 9 : at + 9, high, {
      align: isLate ? "end" : "start",
      halo: theme.bg,
    });
  }
  horizontal(surface, left, right, bottom);
  const ticks = scatterTicks(picture.x, Math.max(2, Math.floor((right - left) / 60)));
  for (const { value } of ticks) {
    const x = crisp(plot.x(value));
    surface.moveTo(x, bottom);
    surface.lineTo(x, bottom + 4);
  }
  surface.stroke({ colour: theme.line2, width: 1 });
  // The last one has the unit, and room for it.
  const last = ticks.at(-1);
  const text = [last?.label, picture.unit].filter(Boolean).join(" ");
  const wide = textWidth(text, theme);
  const end = last && Math.min(right, plot.x(last.value) + wide / 2);
  if (end !== undefined) surface.text({ text, colour: theme.t3 }, end, bottom + 17, { align: "end" });
  for (const { value, label } of ticks.slice(0, -1)) {
    if (end !== undefined && plot.x(value) + textWidth(label, theme) / 2 > end - wide - 8) continue;
    surface.text({ text: label, colour: theme.t3 }, plot.x(value), bottom + 17, { align: "middle" });
  }
}

/** An arrow above a mark that stands at the end of the axis, since its value lies beyond. */
function drawArrow(surface: Surface, theme: Theme, x: number, y: number): void {
  surface.begin();
  surface.moveTo(x - 3, y - 6);
  surface.lineTo(x, y - 10);
  surface.lineTo(x + 3, y - 6);
  surface.stroke({ colour: theme.t2, width: 1.1 });
}

/** A mark: a cross for what misses, hollow for what is beaten, filled for what may still be the answer, large for what leads. */
export function drawScatterMark(
  surface: Surface,
  theme: Theme,
  look: ScatterLook,
  x: number,
  y: number,
): void {
  const radius = RADIUS[look];
  surface.begin();
  if (look === "misses") {
    for (const side of [1, -1]) {
      surface.moveTo(x - radius, y - side * radius);
      surface.lineTo(x + radius, y + side * radius);
    }
    surface.stroke({ colour: theme.t3, width: 1.1 });
    return;
  }
  surface.circle(x, y, radius);
  if (look === "beaten") {
    surface.fill(theme.bg);
    surface.stroke({ colour: theme.t3, width: 1.2 });
  } else {
    surface.fill(theme.ink);
    surface.stroke({ colour: theme.bg, width: 1.25 });
  }
}
