import { sum } from "d3-array";
import type { StudyCell, StudyFactor, StudyTable, StudyValue } from "../../generated/answers.d.ts";
import { identityIndices } from "../../run/identity.ts";
import { fixed } from "../drawing/format.ts";
import { type Box, boxOf, crisp, drawGrid, horizontal, vertical } from "../drawing/frame.ts";
import { drawMarker, ellipsis, REFERENCE_DASH } from "../drawing/plot.ts";
import { pushApart } from "../drawing/pushApart.ts";
import { areaPath, linePath } from "../drawing/shape.ts";
import { type Surface, textWidth } from "../drawing/surface.ts";
import { type ClassStyle, classStyle, type Theme } from "../drawing/theme.ts";
import type { Gutters } from "../types.ts";
import {
  drawParameterAxis,
  type ParameterAxis,
  parameterAxis,
  slicedBy,
  type Variation,
  valuesOf,
} from "./parameterAxis.ts";
import { numberText, plainNumber, spokenFactor, unitText, valueText } from "./studyText.ts";
import { type Extent, grown, isWide, type ValueAxis, valueAxis } from "./valueAxis.ts";

/** A measure as a line: of a class in its look, else in ink. */
export interface CurveLine {
  /** By its place in the table. */
  readonly measure: number;
  readonly name: string;
  /** The identity of its class; null without one. */
  readonly kindIndex: number | null;
}

/** Curves over one axis of values. */
export interface CurvePanel {
  readonly title: string;
  readonly unit: string | null;
  readonly lines: readonly CurveLine[];
  /** The point of the table at each value of the axis; null where there is none. */
  readonly points: readonly (number | null)[];
}

/** Small multiples that share the axis of what varies. */
export interface CurvesPicture {
  readonly table: StudyTable;
  readonly axis: Variation;
  readonly panels: readonly CurvePanel[];
}

interface CurvesOptions {
  /** Names of the scenario's classes, from which their looks follow. */
  readonly classes: readonly string[];
  /** With two factors: the measures that are shown, by the name of their group. */
  readonly group?: string;
  /** The value of a third factor. */
  readonly slice?: StudyValue | undefined;
}

/** The curves of a table along its first factor: a panel for every measure, or of one measure for every value of a second factor. */
export function curvesOf(table: StudyTable, { classes, group, slice }: CurvesOptions): CurvesPicture {
  const [along, across] = table.factors as readonly [StudyFactor, StudyFactor?];
  const places = slicedBy(table, slice);
  const points = places.map((place) => table.points[place] as StudyTable["points"][number]);
  const axis = { factor: along, values: valuesOf(points, 0, along) };
  const looks = identityIndices(classes);
  const lineOf = (measure: number): CurveLine => {
    const { class: name, title } = table.measures[measure] as StudyTable["measures"][number];
    const at = name === null ? -1 : classes.indexOf(name);
    return { measure, name: name ?? (title === group ? "" : title), kindIndex: looks[at] ?? null };
  };
  const groups = [...new Set(table.measures.map((measure) => measure.group))];
  const linesOf = (name: string) =>
    table.measures.flatMap((measure, at) => (measure.group === name ? [lineOf(at)] : []));
  const unitOf = (name: string) => table.measures.find((measure) => measure.group === name)?.unit ?? null;
  const pointsWhere = (isOf: (values: readonly StudyValue[]) => boolean) => {
    const found = new Map(
      places.flatMap((place) => {
        const { values } = table.points[place] as StudyTable["points"][number];
        return isOf(values) ? [[values[0], place] as const] : [];
      }),
    );
    return axis.values.map((value) => found.get(value) ?? null);
  };
  if (!across) {
    const all = pointsWhere(() => true);
    return {
      table,
      axis,
      panels: groups.map((name) => ({ title: name, unit: unitOf(name), lines: linesOf(name), points: all })),
    };
  }
  const shown = group !== undefined && groups.includes(group) ? group : (groups[0] ?? "");
  return {
    table,
    axis,
    panels: valuesOf(points, 1, across).map((value) => ({
      title: `${spokenFactor(across)} ${valueText(across, value)}${value === across.present ? ", now" : ""}`,
      unit: unitOf(shown),
      lines: linesOf(shown),
      points: pointsWhere((values) => values[1] === value),
    })),
  };
}

const cellAt = ({ table }: CurvesPicture, place: number | null, measure: number): StudyCell | undefined =>
  place === null ? undefined : table.points[place]?.cells[measure];

/** Between what each panel lies; those of several values of a factor share one extent. */
export function extentsOf(
  picture: CurvesPicture,
  before: readonly (Extent | null)[] = [],
): readonly (Extent | null)[] {
  const own = picture.panels.map((panel, at) => {
    const cells = panel.lines.flatMap(({ measure }) =>
      panel.points.flatMap((place) => {
        const point = picture.table.points[place ?? -1];
        const cell = point?.cells[measure];
        // The interval of the first few seeds is wide, and not what is shown in the end.
        return point && cell?.mean != null ? [{ ...cell, isWhole: point.seeds >= point.wanted }] : [];
      }),
    );
    return grown(before[at], extentOf(cells));
  });
  if (picture.table.factors.length < 2) return own;
  const all = own.reduce(grown, null);
  return own.map(() => all);
}

/** As far as means lie apart, or a share of the greatest, intervals have room beyond them. */
const BEYOND = 0.25;

/** Between what means and their intervals lie. Very wide intervals run out of the picture; below zero nothing is shown of amounts. */
function extentOf(cells: readonly (StudyCell & { readonly isWhole: boolean })[]): Extent | null {
  const means = cells.flatMap(({ mean }) => mean ?? []);
  const [least, most] = [Math.min(...means), Math.max(...means)];
  if (means.length === 0) return null;
  const room = Math.max(most - least, BEYOND * Math.max(Math.abs(most), Math.abs(least)));
  const whole = cells.filter(({ isWhole }) => isWhole);
  const low = Math.min(least, ...whole.map((cell) => cell.low ?? least));
  const high = Math.max(most, ...whole.map((cell) => cell.high ?? most));
  const top = Math.min(high, most + room);
  // Means alone decide on a logarithmic axis, however near to zero an interval reaches.
  if (isWide([least, most])) return [Math.max(low, least / 2), top];
  const foot = Math.max(low, least - room, least >= 0 ? 0 : Number.NEGATIVE_INFINITY);
  return [isWide([foot, top]) ? 0 : foot, top];
}

/** Heights: the names of references, the title of a panel, between panels, the axis; a plot at least. */
const [STRIP, TITLE, GAP, BELOW, LEAST] = [24, 32, 20, 44, 76];
/** Share of the height that a panel of several lines has beside one of a single line. */
const MANY = 1.6;

const weightOf = ({ lines }: CurvePanel) => (lines.length > 1 ? MANY : 1);

/** The least height in which the panels can be read. */
export const leastHeight = ({ panels }: CurvesPicture): number =>
  STRIP + BELOW + panels.reduce((sum, panel) => sum + TITLE + GAP + LEAST * weightOf(panel), -GAP);

interface PanelFrame {
  readonly top: number;
  readonly bottom: number;
  /** Null while there is no value. */
  readonly y: ValueAxis | null;
}

/** Where curves are drawn. */
export interface CurvesFrame extends Box {
  readonly panels: readonly PanelFrame[];
  /** Of the axis' values, by their places. */
  readonly columns: readonly number[];
  readonly x: ParameterAxis;
}

export function curvesFrame(
  width: number,
  height: number,
  gutters: Gutters,
  { panels, axis }: CurvesPicture,
  extents: readonly (Extent | null)[],
): CurvesFrame {
  const box = boxOf(width, height, { ...gutters, top: STRIP, bottom: BELOW });
  const room = box.bottom - box.top - panels.length * TITLE - (panels.length - 1) * GAP;
  const unit = room / Math.max(1, sum(panels, weightOf));
  let top = STRIP;
  const frames = panels.map((panel, at): PanelFrame => {
    const from = top + TITLE;
    const bottom = from + unit * weightOf(panel);
    top = bottom + GAP;
    const extent = extents[at];
    return { top: from, bottom, y: extent ? valueAxis(extent, panel.unit, [bottom, from]) : null };
  });
  const x = parameterAxis(axis, [box.left, box.right]);
  return { ...box, panels: frames, columns: axis.values.map((value) => x.at(value) ?? box.left), x };
}

/** The panel at a height. */
export function panelAt({ panels }: CurvesFrame, y: number): number {
  const found = panels.findIndex(({ bottom }) => y <= bottom + GAP / 2);
  return found < 0 ? panels.length - 1 : found;
}

/** Closer together points are a line with a band about it, without marks of their own. */
const DENSE = 7;

/** All panels, the references through them, and the axis below. */
export function drawCurves(
  surface: Surface,
  theme: Theme,
  width: number,
  height: number,
  gutters: Gutters,
  picture: CurvesPicture,
  extents: readonly (Extent | null)[],
): void {
  const frame = curvesFrame(width, height, gutters, picture, extents);
  drawReferences(surface, theme, frame, picture);
  picture.panels.forEach((panel, at) => {
    const place = frame.panels[at] as PanelFrame;
    drawPanel(surface, theme, frame, place, panel);
    drawLines(surface, theme, frame, place, picture, panel);
  });
  drawParameterAxis(surface, theme, frame, picture.axis, frame.x);
  drawStates(surface, theme, frame, picture);
}

/** The recommended band and the present value, through all panels, with their names above. */
function drawReferences(surface: Surface, theme: Theme, frame: CurvesFrame, { axis }: CurvesPicture): void {
  const { factor, values } = axis;
  const { x, width } = frame;
  const top = STRIP - 4;
  const present = factor.present === null ? null : x.at(factor.present);
  const now =
    present === null ? null : { x: present, text: `now ${bare(factor, factor.present as StudyValue)}` };
  const nowWidth = now ? textWidth(now.text, theme, 11, true) : 0;
  const isLate = now !== null && now.x + 6 + nowWidth > width - 8;
  const taken = now && (isLate ? [now.x - 6 - nowWidth, now.x] : [now.x, now.x + 6 + nowWidth]);
  const [first, last] = [Number(values[0]), Number(values.at(-1))];
  if (factor.recommended && !factor.isWords && values.length > 0) {
    const [from, to] = factor.recommended;
    const text = `recommended ${from === to ? plainNumber(from) : `${plainNumber(from)}–${plainNumber(to)}`}`;
    const [low, high] = [Math.max(from, first), Math.min(to, last)];
    if (low <= high) {
      const [start, end] = [x.scale(low), x.scale(high)];
      surface.begin();
      surface.rect(start, top, Math.max(2, end - start), frame.bottom - top);
      surface.fill(theme.s2);
      const wide = textWidth(text, theme);
      const free = (at: number) =>
        at >= 8 &&
        at + wide <= width - 8 &&
        (!taken || at + wide + 8 <= (taken[0] ?? 0) || at >= (taken[1] ?? 0) + 8);
      const at = [start + 4, end - wide - 4, (taken?.[0] ?? 0) - wide - 8, (taken?.[1] ?? 0) + 8].find(free);
      if (at !== undefined) surface.text({ text, colour: theme.t3 }, at, top - 6);
    }
  }
  if (!now) return;
  vertical(surface, now.x, top, frame.bottom);
  surface.stroke({ colour: theme.t2, width: 1, dash: REFERENCE_DASH });
  surface.text({ text: now.text, colour: theme.ink, bold: true }, isLate ? now.x - 6 : now.x + 6, top - 6, {
    align: isLate ? "end" : "start",
  });
}

/** A value without its unit, which the axis states. */
const bare = (factor: StudyFactor, value: StudyValue): string =>
  typeof value === "number" ? plainNumber(value) : valueText(factor, value);

function drawPanel(
  surface: Surface,
  theme: Theme,
  frame: CurvesFrame,
  { top, bottom, y }: PanelFrame,
  { title, unit }: CurvePanel,
): void {
  surface.text(
    [
      { text: title, colour: theme.ink, bold: true },
      { text: y?.note ?? unitText(unit), colour: theme.t3, gap: 8 },
    ],
    16,
    top - 14,
    { size: 12, halo: theme.bg },
  );
  if (y) drawGrid(surface, theme, frame, y);
  else {
    const { left, right } = frame;
    horizontal(surface, left, right, bottom);
    surface.stroke({ colour: theme.line, width: 1 });
    surface.text({ text: "no results yet", colour: theme.t3 }, left, (top + bottom) / 2, { halo: theme.bg });
  }
}

/** A point of a line where it is drawn. */
interface Drawn {
  readonly x: number;
  readonly cell: StudyCell;
  readonly mean: number;
  readonly isWhole: boolean;
}

/** What looks like nothing of a class: ink. */
const inkStyle = (theme: Theme): ClassStyle => ({
  mark: theme.ink,
  label: theme.ink,
  dash: [],
  marker: "circle",
});

const styleOf = (theme: Theme, { kindIndex }: CurveLine, order: number): ClassStyle => {
  if (kindIndex !== null) return classStyle(theme, kindIndex);
  // Several measures of no class differ by dash and marker, as classes do.
  const { dash, marker } = classStyle(theme, order);
  return order === 0 ? inkStyle(theme) : { ...inkStyle(theme), dash, marker };
};

function drawLines(
  surface: Surface,
  theme: Theme,
  frame: CurvesFrame,
  place: PanelFrame,
  picture: CurvesPicture,
  { lines, points }: CurvePanel,
): void {
  const { top, bottom } = place;
  const y = place.y?.scale;
  if (!y) return;
  const [from = 0, to = 1] = y.domain();
  const { table, axis } = picture;
  const { isWords } = axis.factor;
  const pitch = (frame.right - frame.left) / Math.max(1, frame.columns.length - (isWords ? 0 : 1));
  const isDense = pitch < DENSE;
  // Side by side, so that intervals do not cover each other.
  const apart = isDense ? 0 : Math.min(isWords ? 14 : 4, pitch / (lines.length + 1));
  const aside = (order: number) => (order - (lines.length - 1) / 2) * apart;
  const drawn = lines.map((line, order) =>
    frame.columns.flatMap((x, column): readonly Drawn[] => {
      const point = table.points[points[column] ?? -1];
      const cell = point?.cells[line.measure];
      if (!point || cell?.mean == null) return [];
      return [{ x: x + aside(order), cell, mean: cell.mean, isWhole: point.seeds >= point.wanted }];
    }),
  );
  lines.forEach((line, order) => {
    const style = styleOf(theme, line, order);
    const along = drawn[order] ?? [];
    if (isDense) drawBand(surface, style, along, y);
    if (!isWords) {
      linePath(
        surface,
        along,
        ({ x }) => x,
        ({ mean }) => y(mean),
      );
      surface.stroke({ colour: style.mark, width: 1.75, dash: style.dash, join: "round" });
    }
    if (isDense) return;
    surface.begin();
    for (const { x, cell } of along) {
      if (cell.low === null || cell.high === null) continue;
      const [foot, head] = [y(cell.low), y(cell.high)];
      surface.moveTo(crisp(x), foot);
      surface.lineTo(crisp(x), head);
      // One that runs out of the picture has no end there.
      const ends = [cell.low >= from && foot, cell.high <= to && head];
      for (const end of foot - head > 4 ? ends : []) {
        if (typeof end !== "number") continue;
        surface.moveTo(crisp(x) - 3, end);
        surface.lineTo(crisp(x) + 3, end);
      }
    }
    surface.stroke({ colour: style.mark, width: 1 });
    for (const { x, mean, isWhole } of along) drawMarker(surface, theme, style, x, y(mean), 3.2, !isWhole);
  });
  const ends = drawn.map((along) => along.at(-1));
  const shown = lines.flatMap((line, order) => {
    const end = ends[order];
    return end && line.name !== "" ? [{ line, order, end }] : [];
  });
  const furthest = Math.max(...shown.map(({ end }) => end.x), frame.left);
  const heights = pushApart(
    shown.map(({ end }) => y(end.mean)),
    15,
    top - 4,
    bottom,
  );
  const at = furthest + 12;
  shown.forEach(({ line, order }, i) => {
    const style = styleOf(theme, line, order);
    const text = ellipsis(line.name, theme, frame.width - at - 8, 11, true);
    surface.text(
      { text, colour: style.label, bold: true, ...(text !== line.name && { full: line.name }) },
      at,
      (heights[i] ?? 0) + 4,
      { halo: theme.bg },
    );
  });
}

/** The intervals of points that stand too close for marks. */
function drawBand(
  surface: Surface,
  style: ClassStyle,
  along: readonly Drawn[],
  y: (value: number) => number,
): void {
  const known = along.filter(({ cell }) => cell.low !== null && cell.high !== null);
  if (known.length < 2) return;
  areaPath(surface, known, ({ x }) => x, [
    ({ cell }) => y(cell.low as number),
    ({ cell }) => y(cell.high as number),
  ]);
  surface.fill(style.mark, 0.18);
}

/** How far a value of the axis is. */
export type ColumnState = "done" | "open" | "refused" | "added";

/** `open` where any of its points has still to run, `refused` where all of them are. */
export function columnStates({ table, panels, axis }: CurvesPicture): readonly ColumnState[] {
  return axis.values.map((_, column) => {
    const points = panels.flatMap((panel) => table.points[panel.points[column] ?? -1] ?? []);
    if (points.length > 0 && points.every(({ refused }) => refused !== null)) return "refused";
    if (points.some(({ refused, seeds, wanted }) => refused === null && seeds < wanted)) return "open";
    return points.some(({ isAdded }) => isAdded) ? "added" : "done";
  });
}

/** On the axis: open ticks where something is still to run, crosses where the engine refuses, and short strokes at added points. */
function drawStates(surface: Surface, theme: Theme, frame: CurvesFrame, picture: CurvesPicture): void {
  const states = columnStates(picture);
  const y = crisp(frame.bottom);
  const open = states.filter((state) => state === "open").length;
  states.forEach((state, column) => {
    const x = frame.columns[column] ?? 0;
    surface.begin();
    if (state === "open") {
      surface.circle(x, y, 3);
      surface.fill(theme.bg);
      surface.stroke({ colour: theme.line2, width: 1.25 });
    } else if (state === "refused") {
      for (const side of [1, -1]) {
        surface.moveTo(x - 3.5, y - 3.5 * side);
        surface.lineTo(x + 3.5, y + 3.5 * side);
      }
      surface.stroke({ colour: theme.danger, width: 1.75 });
    } else if (state === "added") {
      surface.moveTo(crisp(x), y);
      surface.lineTo(crisp(x), y - 6);
      surface.stroke({ colour: theme.ink, width: 1.25 });
    }
  });
  if (open === 0 || open === states.length) return;
  surface.text(
    { text: `${fixed(open, 0)} ${open === 1 ? "value" : "values"} still to run`, colour: theme.t3 },
    frame.right,
    frame.bottom - 9,
    { align: "end", halo: theme.bg },
  );
}

/** A line at the value that is looked at. */
export function drawCursor(surface: Surface, theme: Theme, frame: CurvesFrame, column: number): void {
  const x = frame.columns[column];
  if (x === undefined) return;
  vertical(surface, x, STRIP - 4, frame.bottom);
  surface.stroke({ colour: theme.t2, width: 1 });
}

/** The picture in words: what varies, how far it is, and between what each measure lies. */
export function curvesSentence(picture: CurvesPicture): string {
  const { table, axis, panels } = picture;
  const { factor, values } = axis;
  const name = spokenFactor(factor);
  const [first, last] = [values[0], values.at(-1)];
  const over =
    first === undefined || last === undefined
      ? name
      : factor.isWords
        ? `${name}: ${values.map((value) => valueText(factor, value)).join(", ")}`
        : `${name} from ${valueText(factor, first)} to ${valueText(factor, last)}`;
  const open = columnStates(picture).filter((state) => state === "open").length;
  const far = open === 0 ? "all run" : `${values.length - open} of ${values.length} values run`;
  const said = panels.flatMap((panel) =>
    panel.lines.map(({ measure }) => {
      const found = panel.points.flatMap((place, column) => {
        const mean = cellAt(picture, place, measure)?.mean;
        return mean == null ? [] : [{ mean, column }];
      });
      const title = table.measures[measure]?.title ?? "";
      const where = table.factors.length > 1 ? `${title} at ${panel.title}` : title;
      if (found.length === 0) return `${where} has no value yet`;
      const least = found.reduce((best, item) => (item.mean < best.mean ? item : best));
      const most = found.reduce((best, item) => (item.mean > best.mean ? item : best));
      const at = (column: number) => bare(factor, values[column] as StudyValue);
      return `${where} is least, ${numberText(panel.unit, least.mean)}, at ${at(least.column)} and greatest, ${numberText(panel.unit, most.mean)}, at ${at(most.column)}`;
    }),
  );
  return `Curves over ${over}, ${far}. ${said.join(". ")}.`;
}
