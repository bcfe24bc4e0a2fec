import { drawMarker, ellipsis, gutterEnd, type Plot } from "./plot.ts";
import { pushApart } from "./pushApart.ts";
import { type Smoothing, smoothingText } from "./smoothing.ts";
import { type Surface, textWidth } from "./surface.ts";
import type { ClassStyle } from "./theme.ts";

/** What stands at the right end of a class's line. */
export interface GutterEntry {
  readonly style: ClassStyle;
  readonly name: string;
  readonly value: string;
  /** A second line, where there is room for one in all entries. */
  readonly detail?: string;
  /** Where the line ends. */
  readonly y: number;
}

/** Heights of an entry: with a second line, with one, with one where many classes leave little room. */
const TWO_LINES = 27;
const ONE_LINE = 15;
const TIGHT = 12.5;

/** How the entries of a gutter are laid out: in one column with values, or as a legend of names in two. */
export interface GutterLayout {
  readonly columns: 1 | 2;
  readonly pitch: number;
  readonly details: boolean;
  /** Entries that have room; the others are counted in the last place. */
  readonly shown: number;
}

/** The roomiest layout in which all entries fit a height; past two columns the rest is counted. */
export function gutterLayout(count: number, height: number, details: boolean): GutterLayout {
  const fits = (pitch: number) => count * pitch <= height;
  if (details && fits(TWO_LINES)) return { columns: 1, pitch: TWO_LINES, details: true, shown: count };
  for (const pitch of [ONE_LINE, TIGHT]) {
    if (fits(pitch)) return { columns: 1, pitch, details: false, shown: count };
  }
  const places = 2 * Math.max(1, Math.floor(height / TIGHT));
  return { columns: 2, pitch: TIGHT, details: false, shown: count <= places ? count : places - 1 };
}

/** Names and values of the classes at the ends of their lines; a legend in two columns where there are too many for that. */
export function drawGutter(
  surface: Surface,
  plot: Plot,
  entries: readonly GutterEntry[],
  top = plot.top - 8,
): void {
  const bottom = plot.bottom - 2;
  const details = entries.some(({ detail }) => detail !== undefined);
  const layout = gutterLayout(entries.length, bottom - top + 12, details);
  if (layout.columns === 2) drawLegend(surface, plot, entries, layout, Math.max(top, plot.top - 1));
  else drawColumn(surface, plot, entries, layout, top, bottom - (layout.details ? 10 : 0));
}

function drawColumn(
  surface: Surface,
  plot: Plot,
  entries: readonly GutterEntry[],
  { pitch, details }: GutterLayout,
  top: number,
  bottom: number,
): void {
  const { theme } = plot;
  const end = gutterEnd(plot);
  const places = pushApart(
    entries.map(({ y }) => y),
    pitch,
    top,
    bottom,
  );
  entries.forEach(({ style, name, value, detail }, i) => {
    const place = (places[i] as number) - (details ? 3 : 0);
    drawMarker(surface, theme, style, plot.right + 17, place, 2.8);
    const room = end - plot.right - 26 - textWidth(value, theme, 11, true) - 5;
    surface.text(elided(name, plot, room, style.label), plot.right + 26, place + 4);
    surface.text({ text: value, colour: theme.ink, bold: true }, end, place + 4, { align: "end" });
    if (details && detail) {
      surface.text({ text: detail, colour: theme.t3 }, plot.right + 26, place + 16.5);
    }
  });
}

/** Markers and names in class order; the values stand in the table beside the charts and in the readout. */
function drawLegend(
  surface: Surface,
  plot: Plot,
  entries: readonly GutterEntry[],
  { pitch, shown }: GutterLayout,
  top: number,
): void {
  const { theme } = plot;
  const left = plot.right + 11;
  const width = (gutterEnd(plot) - left) / 2;
  const rows = Math.ceil((shown + (shown < entries.length ? 1 : 0)) / 2);
  const place = (i: number) => ({ x: left + width * Math.floor(i / rows), y: top + 3 + pitch * (i % rows) });
  for (const [i, { style, name }] of entries.slice(0, shown).entries()) {
    const { x, y } = place(i);
    drawMarker(surface, theme, style, x + 3, y, 2.4);
    surface.text(elided(name, plot, width - 11, style.label), x + 8, y + 4);
  }
  if (shown === entries.length) return;
  const { x, y } = place(shown);
  surface.text({ text: `+ ${entries.length - shown}`, colour: theme.t3 }, x + 9, y + 4);
}

/** A name, shortened to a width; the whole one is shown under the pointer. */
function elided(name: string, plot: Plot, room: number, colour: string) {
  const text = ellipsis(name, plot.theme, room, 11, true);
  return { text, colour, bold: true, ...(text !== name && { full: name }) };
}

/** Says above the gutter that lines are means. */
export function drawSmoothingNote(surface: Surface, plot: Plot, smoothing: Smoothing | null): void {
  if (!smoothing) return;
  const whole = smoothingText(smoothing);
  // On a phone, where the gutter is narrow, the chart's menu stands at the end of this row.
  const gutter = plot.width - plot.right;
  const isRoomy = textWidth(whole, plot.theme) <= gutter - 12 - (gutter < 110 ? 32 : 8);
  const text = isRoomy ? whole : whole.replace("over ", "");
  surface.text({ text, colour: plot.theme.t3 }, plot.right + 12, 18);
}
