import type { Promised } from "../../answers/plan.ts";
import { fixed, formatDuration } from "../drawing/format.ts";
import { crisp, drawMarker, horizontal, REFERENCE_DASH } from "../drawing/plot.ts";
import { pushApart } from "../drawing/pushApart.ts";
import { type Surface, type TextRun, textWidth } from "../drawing/surface.ts";
import { classStyle, type Theme } from "../drawing/theme.ts";
import { amountTicks, latencyTicks, niceMaximum, timeTicks } from "../drawing/ticks.ts";
import type { Gutters } from "../types.ts";

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

export interface ArrivalGeometry {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: (us: number) => number;
  readonly y: (requests: number) => number;
  readonly usAt: (x: number) => number;
  readonly requestsAt: (y: number) => number;
  /** Largest value of the y axis. */
  readonly most: number;
}

const TITLE = 34;
const BELOW = 26;

/** How much higher than the arrivals the linear axis goes at most. */
const AIR = 2.5;

/** What a bucket lets through in so many microseconds. */
export const through = ({ burst, rateIops }: Promised, us: number): number => burst + (rateIops * us) / 1e6;

export function arrivalGeometry(
  width: number,
  height: number,
  gutters: Gutters,
  curve: ArrivalCurve,
): ArrivalGeometry {
  const left = gutters.left;
  const right = Math.max(left + 1, width - gutters.right);
  const top = TITLE;
  const bottom = height - BELOW;
  const last = curve.points.at(-1)?.[1] ?? 1;
  if (curve.axes === "time") {
    const span = Math.max(curve.toUs - curve.fromUs, 1e-3);
    // Buckets that let far more through than comes leave the plot.
    const buckets = Math.min(AIR * last, Math.max(0, ...curve.contract.map((item) => through(item, span))));
    const most = niceMaximum(Math.max(last, buckets, 4));
    return {
      left,
      right,
      top,
      bottom,
      most,
      x: (us) => left + (us / span) * (right - left),
      y: (requests) => bottom - (requests / most) * (bottom - top),
      usAt: (x) => ((x - left) / (right - left)) * span,
      requestsAt: (y) => ((bottom - y) / (bottom - top)) * most,
    };
  }
  const from = Math.log10(curve.fromUs);
  const span = Math.max(Math.log10(curve.toUs) - from, 1e-3);
  const decades = Math.log10(Math.max(10, 1.4 * last));
  return {
    left,
    right,
    top,
    bottom,
    most: 10 ** decades,
    x: (us) => left + ((Math.log10(us) - from) / span) * (right - left),
    y: (requests) => bottom - (Math.log10(Math.max(requests, 1)) / decades) * (bottom - top),
    usAt: (x) => 10 ** (from + ((x - left) / (right - left)) * span),
    requestsAt: (y) => 10 ** (((bottom - y) / (bottom - top)) * decades),
  };
}

/** Pixels between the handles of neighbouring classes, under a pointer and under a finger. */
export const HANDLE_PITCH = { fine: 26, coarse: 46 } as const;

/** Where a class is taken hold of: its burst at the left, its rate at the right. */
export function handlePlaces(
  plot: ArrivalGeometry,
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
      y: clamped(plot.y(through(item, plot.usAt(x)))),
    });
    return [
      place("burst", plot.left + apart / 2 + apart * at),
      place("rateIops", plot.right - apart / 2 - apart * (contract.length - 1 - at)),
    ];
  });
}

/** The burst or rate with which a bucket passes through a point of the picture. */
export function valueAt(
  plot: ArrivalGeometry,
  item: Promised,
  part: "burst" | "rateIops",
  x: number,
  y: number,
): number {
  const us = Math.max(plot.usAt(x), 1e-3);
  const requests = plot.requestsAt(Math.min(plot.bottom, Math.max(plot.top - 40, y)));
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
  const plot = arrivalGeometry(width, height, gutters, curve);
  drawAxes(surface, theme, plot, curve);
  const style = classStyle(theme, curve.kindIndex);
  const clip = (draw: () => void) =>
    surface.clipped(plot.left, plot.top - 4, plot.right - plot.left + 1, plot.bottom - plot.top + 5, draw);
  const line = (through: (us: number) => number) => {
    surface.begin();
    for (let x = plot.left; x <= plot.right; x += 2) {
      const y = plot.y(through(plot.usAt(x)));
      if (x === plot.left) surface.moveTo(x, y);
      else surface.lineTo(x, y);
    }
  };
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
    surface.begin();
    let before: number | null = null;
    for (const [us, requests] of curve.points) {
      const [x, y] = [plot.x(Math.max(us, 1e-3)), plot.y(requests)];
      if (before === null) surface.moveTo(x, y);
      else {
        // Counted at the end of each part: it rises in steps.
        if (curve.axes === "time") surface.lineTo(x, before);
        surface.lineTo(x, y);
      }
      before = y;
    }
    surface.stroke({ colour: style.mark, width: 1.75, dash: style.dash, join: "round" });
  });
  const wanted = curve.points.filter((_, i) => i % Math.max(1, Math.round(curve.points.length / 6)) === 3);
  for (const [us, requests] of wanted) {
    const [x, y] = [plot.x(us), plot.y(requests)];
    if (x >= plot.left && x <= plot.right && y >= plot.top) drawMarker(surface, theme, style, x, y);
  }
  drawLabels(surface, theme, plot, curve);
}

/** 1000, then 10k, 400k, 1.5M: short enough for the narrowest gutter. */
export const compactCount = (count: number): string =>
  count < 10_000
    ? String(Number(count.toPrecision(4)))
    : count < 1e6
      ? `${Number((count / 1e3).toPrecision(4))}k`
      : `${Number((count / 1e6).toPrecision(4))}M`;

function drawAxes(
  surface: Surface,
  theme: Theme,
  plot: ArrivalGeometry,
  { axes, fromUs, toUs }: ArrivalCurve,
): void {
  const decades = Math.log10(plot.most);
  const ticks =
    axes === "time"
      ? amountTicks(plot.most).map(({ value }) => value)
      : Array.from({ length: Math.floor(decades) + 1 }, (_, i) => 10 ** i);
  for (const value of ticks) {
    const y = plot.y(value);
    horizontal(surface, plot.left, plot.right, y);
    surface.stroke({ colour: theme.line, width: 1 });
    surface.text({ text: compactCount(value), colour: theme.t3 }, plot.left - 8, y + 4, { align: "end" });
  }
  horizontal(surface, plot.left, plot.right, plot.bottom);
  surface.stroke({ colour: theme.line2, width: 1 });
  const times =
    axes === "time" ? timeTicks(0, toUs - fromUs, plot.right - plot.left) : latencyTicks(fromUs, toUs);
  let free = Number.NEGATIVE_INFINITY;
  for (const { value, label } of times) {
    const decade = Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-6;
    const shown = axes === "time" || decade ? label : "";
    const x = crisp(plot.x(value));
    surface.begin();
    surface.moveTo(x, plot.bottom);
    surface.lineTo(x, plot.bottom + (shown ? 4 : 2.5));
    surface.stroke({ colour: theme.line2, width: 1 });
    const half = textWidth(shown, theme) / 2;
    if (!shown || x - half < free) continue;
    free = x + half + 8;
    surface.text({ text: shown, colour: theme.t3 }, x, plot.bottom + 16, { align: "middle" });
  }
}

/** What is what, where it leaves the plot at the right. */
function drawLabels(surface: Surface, theme: Theme, plot: ArrivalGeometry, curve: ArrivalCurve): void {
  const end = plot.usAt(plot.right);
  const { label } = classStyle(theme, curve.kindIndex);
  const labels: (TextRun & { readonly y: number })[] = [
    { y: plot.y(curve.points.at(-1)?.[1] ?? 1), text: curve.name, colour: label, bold: true },
    ...curve.contract.map((item, at) => ({
      y: plot.y(through(item, end)),
      text: `${at + 1}: ${fixed(item.burst, 0)} + ${fixed(item.rateIops, 0)}/s`,
      colour: theme.t2,
    })),
    ...(curve.serverIops === null
      ? []
      : [
          {
            y: plot.y((curve.serverIops * end) / 1e6),
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
