import { formatMilliseconds } from "../drawing/format.ts";
import { vertical } from "../drawing/frame.ts";
import type { Plot } from "../drawing/plot.ts";
import { type Surface, textWidth } from "../drawing/surface.ts";
import type { Theme } from "../drawing/theme.ts";
import type { NoteMark } from "../types.ts";

/** Dash of the line of a note, longer than that of a change. */
const DASH = [1, 2];
/** Side of a mark with one digit. */
export const MARK = 14;

/** When and where a note belongs, in a few words: "2.500 ms, e0.0". */
export const placeText = ({ timeUs, node }: Pick<NoteMark, "timeUs" | "node">): string =>
  [timeUs === null ? null : `${formatMilliseconds(timeUs)} ms`, node].filter(Boolean).join(", ");

/** A note in one line, whatever its text is broken into. */
export const noteLine = (note: NoteMark): string =>
  `Note ${note.number}, ${placeText(note)}: ${note.text}`.replace(/\s+/g, " ").trim();

/** The notes of instants that a chart of a stretch of time shows. */
export const notesWithin = (
  notes: readonly NoteMark[],
  [start, end]: readonly [number, number],
): readonly (NoteMark & { readonly timeUs: number })[] =>
  notes.flatMap((note) =>
    note.timeUs !== null && note.timeUs >= start && note.timeUs <= end
      ? [{ ...note, timeUs: note.timeUs }]
      : [],
  );

/** Notes whose marks would cover each other share one: those nearer than a share of the stretch to the first of them. */
export function noteGroups(
  notes: readonly NoteMark[],
  domainUs: readonly [number, number],
  share: number,
): readonly (readonly (NoteMark & { readonly timeUs: number })[])[] {
  const least = share * (domainUs[1] - domainUs[0]);
  const groups: (NoteMark & { readonly timeUs: number })[][] = [];
  for (const note of notesWithin(notes, domainUs)) {
    const last = groups.at(-1);
    if (last?.[0] && note.timeUs - last[0].timeUs < least) last.push(note);
    else groups.push([note]);
  }
  return groups;
}

/** What stands in the mark of some notes: the number of the first, and that there are more. */
export const markText = (notes: readonly NoteMark[]): string =>
  `${notes[0]?.number ?? ""}${notes.length > 1 ? "+" : ""}`;

/** Lines at the instants of notes, through the whole height, beneath the data. */
export function drawNoteLines(surface: Surface, plot: Plot, notes: readonly NoteMark[]): void {
  for (const { timeUs } of notesWithin(notes, [plot.timeAt(plot.left), plot.timeAt(plot.right)])) {
    vertical(surface, plot.x(timeUs), plot.place.isFirst ? plot.top - 5 : 0, plot.height);
    surface.stroke({ colour: plot.theme.t3, width: 1, dash: DASH });
  }
}

/** A mark with a number, its centre at a point. */
export function drawNoteMark(surface: Surface, theme: Theme, text: string, x: number, y: number): void {
  const width = Math.max(MARK, textWidth(text, theme) + 6);
  surface.begin();
  surface.rect(x - width / 2, y - MARK / 2, width, MARK, 3);
  surface.fill(theme.bg);
  surface.stroke({ colour: theme.t2, width: 1 });
  surface.text({ text, colour: theme.ink }, x, y + 4, { align: "middle" });
}

/** A text in lines of at most a width in pixels, broken between words, and within one that is longer than a line. */
export function wrapped(text: string, theme: Pick<Theme, "font">, room: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  const fits = (candidate: string) => textWidth(candidate, theme) <= room;
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (!fits(line) && line.length > 1) {
      let end = line.length - 1;
      while (end > 1 && !fits(line.slice(0, end))) end--;
      lines.push(line.slice(0, end));
      line = line.slice(end);
    }
  }
  return line === "" ? lines : [...lines, line];
}
