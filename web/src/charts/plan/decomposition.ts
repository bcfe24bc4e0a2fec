import { type Axis, amountAxis, roundEnd, timeAxis } from "../drawing/axis.ts";
import { fixed, formatDuration, formatPercent } from "../drawing/format.ts";
import { type Box, boxOf, drawAxis, horizontal } from "../drawing/frame.ts";
import type { Surface } from "../drawing/surface.ts";
import { classStyle, type Theme } from "../drawing/theme.ts";
import type { Gutters } from "../types.ts";

/** The requests of a tenant over time, by nested class; what is in none last. */
export interface Decomposition {
  readonly kindIndex: number;
  readonly name: string;
  readonly fromUs: number;
  readonly toUs: number;
  readonly bins: number;
  /** By class, then by part of the time. */
  readonly counts: ArrayLike<number>;
  /** Of all requests, by class. */
  readonly totals: readonly number[];
  /** Response times promised, by class. */
  readonly responsesUs: readonly number[];
}

/** Above the strips, and below them. */
const MARGINS = { top: 34, bottom: 26 };
const BETWEEN = 8;

interface Row {
  readonly label: string;
  readonly note: string;
  readonly count: (bin: number) => number;
  readonly total: number;
}

/** All requests, then those of each class, then what overflows. */
export function rowsOf({ counts, bins, totals, responsesUs }: Decomposition): readonly Row[] {
  const of = (part: number) => (bin: number) => counts[part * bins + bin] ?? 0;
  const all = totals.reduce((sum, total) => sum + total, 0);
  const parts = totals.map((total, part): Row => {
    const responseUs = responsesUs[part];
    return responseUs === undefined
      ? { label: part === 0 ? "Promised nothing" : "Overflow", note: "", count: of(part), total }
      : { label: `Class ${part + 1}`, note: `within ${formatDuration(responseUs)}`, count: of(part), total };
  });
  const sum = (bin: number) => totals.reduce((before, _, part) => before + of(part)(bin), 0);
  return [{ label: "All requests", note: "", count: sum, total: all }, ...parts];
}

export interface StripFrame extends Box {
  readonly strips: readonly { readonly top: number; readonly bottom: number }[];
  readonly x: Axis;
}

export function stripFrame(
  width: number,
  height: number,
  gutters: Gutters,
  { fromUs, toUs }: Pick<Decomposition, "fromUs" | "toUs">,
  count: number,
): StripFrame {
  const box = boxOf(width, height, { ...gutters, ...MARGINS });
  const each = (box.bottom - box.top) / count;
  return {
    ...box,
    x: timeAxis([fromUs, toUs], [box.left, box.right]),
    strips: Array.from({ length: count }, (_, i) => ({
      top: box.top + i * each + BETWEEN,
      bottom: box.top + (i + 1) * each,
    })),
  };
}

/** One strip for each class over one time axis, all on one scale. */
export function drawDecomposition(
  surface: Surface,
  theme: Theme,
  width: number,
  height: number,
  gutters: Gutters,
  data: Decomposition,
): void {
  const rows = rowsOf(data);
  const plot = stripFrame(width, height, gutters, data, rows.length);
  const { bins } = data;
  const { mark } = classStyle(theme, data.kindIndex);
  let highest = 0;
  for (let bin = 0; bin < bins; bin++) highest = Math.max(highest, rows[0]?.count(bin) ?? 0);
  const perS = bins / ((data.toUs - data.fromUs) / 1e6);
  const most = roundEnd(highest * perS);
  const wide = (plot.right - plot.left) / bins;
  rows.forEach((row, i) => {
    const strip = plot.strips[i];
    if (!strip) return;
    const high = strip.bottom - strip.top;
    const y = amountAxis(most, [strip.bottom, strip.top]).scale;
    surface.begin();
    for (let bin = 0; bin < bins; bin++) {
      const count = row.count(bin);
      if (count === 0) continue;
      const bar = Math.max(1, strip.bottom - y(count * perS));
      surface.rect(plot.left + bin * wide, strip.bottom - bar, Math.max(wide, 0.75), bar);
    }
    surface.fill(i === 0 ? theme.t3 : mark);
    horizontal(surface, plot.left, plot.right, strip.bottom);
    surface.stroke({ colour: theme.line, width: 1 });
    surface.text(
      [
        { text: row.label, colour: theme.ink, bold: true },
        ...(row.note ? [{ text: row.note, colour: theme.t3, gap: 6 }] : []),
      ],
      plot.left + 4,
      strip.top + 9,
      { halo: theme.bg },
    );
    const total = rows[0]?.total ?? 0;
    const share = i === 0 ? fixed(row.total, 0) : total > 0 ? percent(row.total / total) : "–";
    surface.text(
      { text: share, colour: theme.ink, bold: true },
      plot.right + 10,
      strip.bottom - high / 2 + 4,
    );
    if (i > 0) return;
    surface.text({ text: fixed(most, 0), colour: theme.t3 }, plot.left - 8, strip.top + 8, { align: "end" });
    surface.text({ text: "0", colour: theme.t3 }, plot.left - 8, strip.bottom + 3, { align: "end" });
    surface.text({ text: "requests", colour: theme.t3 }, plot.right + 10, strip.bottom - high / 2 + 18);
  });
  drawAxis(surface, theme, plot, plot.x);
}

/** A share that is small is told as well. */
export const percent = (share: number): string =>
  share > 0 && share < 0.0005 ? "< 0.1 %" : formatPercent(share);

/** The strips in words. */
export function decompositionSentence(data: Decomposition): string {
  const [all, ...parts] = rowsOf(data);
  if (!all || all.total === 0) return `${data.name} has no requests.`;
  const told = parts.map(
    ({ label, note, total }) => `${label.toLowerCase()}${note && `, ${note}`}: ${percent(total / all.total)}`,
  );
  return `${fixed(all.total, 0)} requests of ${data.name}. ${told.join("; ")}.`;
}
