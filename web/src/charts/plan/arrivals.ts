import { range } from "d3-array";
import type { ClassPlan } from "../../generated/answers.d.ts";
import { amountAxis, latencyText, logAxis, roundEnd, timeAxis } from "../drawing/axis.ts";
import { fixed, formatCompact, formatDuration } from "../drawing/format.ts";
import { boxOf, drawFrame, type Frame, frameOf } from "../drawing/frame.ts";
import { drawMarker, REFERENCE_DASH } from "../drawing/plot.ts";
import { pushApart } from "../drawing/pushApart.ts";
import { linePath } from "../drawing/shape.ts";
import type { Surface, TextRun } from "../drawing/surface.ts";
import { classStyle, type Theme } from "../drawing/theme.ts";
import type { Gutters } from "../types.ts";

/** One nested class of a contract: σ, ρ and δ. */
export type Promised = Pick<ClassPlan, "burst" | "rateIops" | "responseUs">;

/**
 * How many requests come in how long a time, with the buckets of a contract: σ + ρ t. Either at most, in any window of a
 * length, on logarithmic axes; or from one instant on, on linear ones.
 */
export interface ArrivalCurve {
  readonly axes: "window" | "time";
  /** Of the class whose requests they are. */
  readonly kindIndex: number;
  readonly name: string;
  /** Points of the curve: microseconds and requests, both growing. */
  readonly points: readonly (readonly [us: number, requests: number])[];
  readonly contract: readonly Promised[];
  /** What the server gets done. */
  readonly serverIops: number | null;
  /** Right end of the axis; in windows the left one too. */
  readonly fromUs: number;
  readonly toUs: number;
}

/** Above the plot, and below it. */
const MARGINS = { top: 34, bottom: 26 };
/** Room of a label of the axis of windows. */
const PITCH = 64;

/** Labels of the axis of requests, if it is logarithmic. */
const DECADES = 6;

/** How much higher than the arrivals the linear axis goes at most. */
const AIR = 2.5;

/** What a bucket lets through in so many microseconds. */
export const through = ({ burst, rateIops }: Promised, us: number): number => burst + (rateIops * us) / 1e6;

export function arrivalFrame(width: number, height: number, gutters: Gutters, curve: ArrivalCurve): Frame {
  const box = boxOf(width, height, { ...gutters, ...MARGINS });
  const { fromUs, toUs } = curve;
  const last = curve.points.at(-1)?.[1] ?? 1;
  if (curve.axes === "time") {
    const span = Math.max(toUs - fromUs, 1e-3);
    // Buckets that let far more through than comes leave the plot.
    const buckets = Math.min(AIR * last, Math.max(0, ...curve.contract.map((item) => through(item, span))));
    const end = roundEnd(Math.max(last, buckets, 4));
    return frameOf(
      box,
      (range) => timeAxis([0, span], range),
      (range) => amountAxis(end, range, formatCompact),
    );
  }
  const count = Math.max(2, Math.floor((box.right - box.left) / PITCH));
  return frameOf(
    box,
    (range) => logAxis([fromUs, Math.max(toUs, 1.01 * fromUs)], range, count, latencyText),
    (range) => logAxis([1, Math.max(10, 1.4 * last)], range, DECADES, formatCompact),
  );
}

/** The height of a number of requests; less than the axis begins with is at its foot. */
export const heightOf = ({ y: { scale } }: Frame, requests: number): number =>
  scale(Math.max(requests, scale.domain()[0] as number));

/** Pixels between the handles of neighbouring classes, under a pointer and under a finger. */
export const HANDLE_PITCH = { fine: 26, coarse: 46 } as const;

/** Where a class is taken hold of: its burst at the left, its rate at the right. */
export function handlePlaces(
  plot: Frame,
  contract: readonly Promised[],
  pitch: number,
): readonly {
  readonly part: "burst" | "rateIops";
  readonly at: number;
  readonly x: number;
  readonly y: number;
}[] {
  // In a narrow plot they come closer: those of the bursts and those of the rates share it.
  const apart = Math.min(pitch, (plot.right - plot.left) / Math.max(1, 2 * contract.length));
  const clamped = (y: number) => Math.min(plot.bottom, Math.max(plot.top, y));
  return contract.flatMap((item, at) => {
    const place = (part: "burst" | "rateIops", x: number) => ({
      part,
      at,
      x,
      y: clamped(heightOf(plot, through(item, plot.x.scale.invert(x)))),
    });
    return [
      place("burst", plot.left + apart / 2 + apart * at),
      place("rateIops", plot.right - apart / 2 - apart * (contract.length - 1 - at)),
    ];
  });
}

/** The burst or rate with which a bucket passes through a point of the picture. */
export function valueAt(
  plot: Frame,
  item: Promised,
  part: "burst" | "rateIops",
  x: number,
  y: number,
): number {
  const us = Math.max(plot.x.scale.invert(x), 1e-3);
  const requests = plot.y.scale.invert(Math.min(plot.bottom, Math.max(plot.top - 40, y)));
  if (part === "burst") return Math.max(1, requests - (item.rateIops * us) / 1e6);
  return Math.max(0.01, ((requests - item.burst) * 1e6) / us);
}

export function drawArrivals(
  surface: Surface,
  theme: Theme,
  width: number,
  height: number,
  gutters: Gutters,
  curve: ArrivalCurve,
): void {
  const plot = arrivalFrame(width, height, gutters, curve);
  drawFrame(surface, theme, plot);
  const style = classStyle(theme, curve.kindIndex);
  const clip = (draw: () => void) =>
    surface.clipped(plot.left, plot.top - 4, plot.right - plot.left + 1, plot.bottom - plot.top + 5, draw);
  const columns = range(plot.left, plot.right + 1, 2);
  const line = (through: (us: number) => number) =>
    linePath(
      surface,
      columns,
      (x) => x,
      (x) => heightOf(plot, through(plot.x.scale.invert(x))),
    );
  const { serverIops } = curve;
  clip(() => {
    if (serverIops !== null) {
      line((us) => (serverIops * us) / 1e6);
      surface.stroke({ colour: theme.line2, width: 1, dash: [1, 3] });
    }
    for (const item of curve.contract) {
      line((us) => through(item, us));
      surface.stroke({ colour: theme.t2, width: 1, dash: REFERENCE_DASH });
    }
    // Requests are counted at the end of each part of the time: their number rises in steps.
    linePath(
      surface,
      curve.points,
      ([us]) => plot.x.scale(Math.max(us, 1e-3)),
      ([, requests]) => heightOf(plot, requests),
      curve.axes === "time",
    );
    surface.stroke({ colour: style.mark, width: 1.75, dash: style.dash, join: "round" });
  });
  const wanted = curve.points.filter((_, i) => i % Math.max(1, Math.round(curve.points.length / 6)) === 3);
  for (const [us, requests] of wanted) {
    const [x, y] = [plot.x.scale(us), heightOf(plot, requests)];
    if (x >= plot.left && x <= plot.right && y >= plot.top) drawMarker(surface, theme, style, x, y);
  }
  drawLabels(surface, theme, plot, curve);
}

/** What is what, where it leaves the plot at the right. */
function drawLabels(surface: Surface, theme: Theme, plot: Frame, curve: ArrivalCurve): void {
  const end = plot.x.scale.invert(plot.right);
  const { label } = classStyle(theme, curve.kindIndex);
  const labels: (TextRun & { readonly y: number })[] = [
    { y: heightOf(plot, curve.points.at(-1)?.[1] ?? 1), text: curve.name, colour: label, bold: true },
    ...curve.contract.map((item, at) => ({
      y: heightOf(plot, through(item, end)),
      text: `${at + 1}: ${fixed(item.burst, 0)} + ${fixed(item.rateIops, 0)}/s`,
      colour: theme.t2,
    })),
    ...(curve.serverIops === null
      ? []
      : [
          {
            y: heightOf(plot, (curve.serverIops * end) / 1e6),
            text: `server ${fixed(curve.serverIops, 0)}/s`,
            colour: theme.t3,
          },
        ]),
  ];
  const order = labels.toSorted((a, b) => a.y - b.y);
  const places = pushApart(
    order.map(({ y }) => Math.min(plot.bottom, Math.max(plot.top, y))),
    15,
    plot.top,
    plot.bottom,
  );
  order.forEach(({ y: _, ...run }, i) => {
    surface.text(run, plot.right + 10, (places[i] as number) + 4);
  });
}

/** Windows that the sentence tells of. */
const TOLD_US = [1000, 1e5, 1e7];

/** The curve in words. */
export function arrivalSentence({ axes, name, points, contract, serverIops }: ArrivalCurve): string {
  const buckets = contract
    .map(
      (item, at) =>
        `class ${at + 1} takes bursts of ${fixed(item.burst, 0)} and ${fixed(item.rateIops, 0)} requests a second`,
    )
    .join(", ");
  const promised = buckets ? ` Of them ${buckets}.` : " Nothing is promised to them.";
  const server = serverIops === null ? "" : ` The server does ${fixed(serverIops, 0)} a second.`;
  if (axes === "time") {
    const [us, requests] = points.at(-1) ?? [0, 0];
    return `${fixed(requests, 0)} requests of ${name} come within ${formatDuration(us)}.${promised}${server}`;
  }
  const parts = TOLD_US.flatMap((wanted) => {
    const point = points.find(([us]) => us >= wanted);
    return point ? [`${fixed(point[1], 0)} in ${formatDuration(point[0], 3)}`] : [];
  });
  return `At most so many requests of ${name} come in any window: ${parts.join(", ")}.${promised}${server}`;
}
