import { type Axis, type Ends, namedAxis, numberAxis } from "../drawing/axis.ts";
import { boxOf, drawAxis, drawGrid, type Frame, frameOf, horizontal, vertical } from "../drawing/frame.ts";
import { nearestWithin } from "../drawing/hit.ts";
import { type Place, REFERENCE_DASH } from "../drawing/plot.ts";
import { linePath } from "../drawing/shape.ts";
import type { Surface } from "../drawing/surface.ts";
import type { Theme } from "../drawing/theme.ts";
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

const MARGINS = { left: 56, right: 24, top: 44, bottom: 36 };
/** About the room that the name of a mark takes. */
const NAME = 88;
const LINE = 14;
/** Radius of a mark by how it looks. */
const RADIUS: Readonly<Record<ScatterLook, number>> = { misses: 2.6, beaten: 3, open: 3.2, leading: 4.6 };

/** Labels of the axis of values; room of one of the lower axis. */
const [COUNT, PITCH] = [4, 60];

/** What lies beyond the ends of an axis is drawn at them. */
export function scatterAxis({ from, to, scale, words }: ScatterAxis, range: Ends, count: number): Axis {
  if (words) return namedAxis(words, range);
  const axis = numberAxis(scale === "log", [from, to], range, count);
  axis.scale.clamp(true);
  return axis;
}

export function scatterFrame(width: number, height: number, { x, y }: ScatterPicture): Frame {
  const box = boxOf(width, height, MARGINS);
  const count = Math.max(2, Math.floor((box.right - box.left) / PITCH));
  return frameOf(
    box,
    (range) => scatterAxis(x, range, count),
    (range) => scatterAxis(y, range, COUNT),
  );
}

/** Where a mark is; one without a value stands on the axis. */
export const markPlace = ({ x, y, bottom }: Frame, mark: Pick<ScatterMark, "x" | "y">): Place => ({
  x: x.scale(mark.x),
  y: mark.y === null ? bottom : y.scale(mark.y),
});

/** How far a finger reaches. */
const REACH = 18;

/** The mark nearest to a place, no further than a finger is wide. */
export const markAt = (frame: Frame, { marks }: ScatterPicture, x: number, y: number): number | null =>
  nearestWithin(
    marks,
    (mark) => {
      const place = markPlace(frame, mark);
      return Math.hypot(place.x - x, place.y - y);
    },
    REACH,
  );

/** What is said of the marks above the upper end of the axis: "3 above, up to 90 000"; null if there are none. */
export function aboveText({ y, marks }: ScatterPicture): string | null {
  const above = marks.flatMap((mark) => (mark.y !== null && mark.y > y.to ? [mark.y] : []));
  return above.length === 0 ? null : `${above.length} above, up to ${plainNumber(Math.max(...above))}`;
}

/** What was tried, by one of its values and by what that gave. */
export function drawScatter(
  surface: Surface,
  theme: Theme,
  width: number,
  height: number,
  picture: ScatterPicture,
): void {
  const plot = scatterFrame(width, height, picture);
  const { left, right, top, bottom } = plot;
  const [xOf, yOf] = [plot.x.scale, plot.y.scale];
  drawGrid(surface, theme, plot, plot.y);
  for (const { value, label } of picture.level) {
    horizontal(surface, left, right, yOf(value));
    surface.stroke({ colour: theme.t2, width: 1, dash: REFERENCE_DASH });
    surface.text({ text: label, colour: theme.t2 }, right, yOf(value) - 5, {
      align: "end",
      halo: theme.bg,
    });
  }
  for (const { value, label } of picture.upright) {
    const x = xOf(value);
    vertical(surface, x, top - 6, bottom);
    surface.stroke({ colour: theme.t2, width: 1, dash: REFERENCE_DASH });
    const isLate = x > (left + right) / 2;
    surface.text({ text: label, colour: theme.ink, bold: true }, isLate ? x - 5 : x + 5, top + 2, {
      align: isLate ? "end" : "start",
      halo: theme.bg,
    });
  }
  if (picture.curve) {
    linePath(
      surface,
      picture.curve,
      ({ x }) => xOf(x),
      ({ y }) => yOf(y),
    );
    surface.stroke({ colour: theme.ink, width: 1.75 });
  }
  for (const look of ["misses", "beaten", "open", "leading"] as const) {
    for (const mark of picture.marks) {
      if (mark.look !== look) continue;
      const { x, y } = markPlace(plot, mark);
      drawScatterMark(surface, theme, look, x, y);
      if (mark.y !== null && mark.y > picture.y.to) drawArrow(surface, theme, x, top);
    }
  }
  const above = aboveText(picture);
  if (above) surface.text({ text: `↑ ${above}`, colour: theme.t2 }, left + 4, top - 12, { halo: theme.bg });
  const placed: { readonly at: number; readonly y: number }[] = [];
  for (const mark of picture.marks) {
    const { label } = mark;
    if (label === undefined) continue;
    const { x: at, y } = markPlace(plot, mark);
    const isLate = at > (left + right) / 2;
    // Names of marks that stand close together stand one above the other.
    let high = y - 6;
    while (placed.some((other) => Math.abs(other.at - at) < NAME && Math.abs(other.y - high) < LINE))
      high -= LINE;
    placed.push({ at, y: high });
    surface.text({ text: label, colour: theme.ink, bold: true }, isLate ? at - 9 : at + 9, high, {
      align: isLate ? "end" : "start",
      halo: theme.bg,
    });
  }
  drawAxis(surface, theme, plot, withUnit(plot.x, picture.unit));
}

/** An axis whose last label has the unit. */
const withUnit = ({ scale, ticks }: Axis, unit: string): Axis => ({
  scale,
  ticks: ticks.map(({ value, label }, place) => ({
    value,
    label: place === ticks.length - 1 ? [label, unit].filter(Boolean).join(" ") : label,
  })),
});

/** An arrow above a mark that stands at the end of the axis, since its value lies beyond. */
function drawArrow(surface: Surface, theme: Theme, x: number, y: number): void {
  surface.begin();
  surface.moveTo(x - 3, y - 6);
  surface.lineTo(x, y - 10);
  surface.lineTo(x + 3, y - 6);
  surface.stroke({ colour: theme.t2, width: 1.1 });
}

/** A mark: a cross for what misses, hollow for what is beaten, filled for what may still be the answer, large for what leads. */
function drawScatterMark(surface: Surface, theme: Theme, look: ScatterLook, x: number, y: number): void {
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
