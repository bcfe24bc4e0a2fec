import type { StudyFactor, StudyPoint, StudyTable, StudyValue } from "../../generated/answers.d.ts";
import { namedAxis, numberAxis } from "../drawing/axis.ts";
import { decimalsFor, fixed } from "../drawing/format.ts";
import { boxOf, crisp, type Frame, frameOf, TICK } from "../drawing/frame.ts";
import { nearestWithin } from "../drawing/hit.ts";
import { LETTER } from "../drawing/letters.ts";
import { type Surface, textWidth } from "../drawing/surface.ts";
import type { Theme } from "../drawing/theme.ts";
import { fitted } from "../picture/picture.ts";
import { axisTitle, slicedBy, valuesOf } from "./parameterAxis.ts";
import { numberText, plainNumber, spokenFactor, unitText, valueText } from "./studyText.ts";

/** A measure over two things that vary, as a grid of cells. */
export interface HeatPicture {
  readonly table: StudyTable;
  readonly measure: number;
  readonly across: StudyFactor;
  readonly upward: StudyFactor;
  readonly columns: readonly StudyValue[];
  /** From the foot up. */
  readonly rows: readonly StudyValue[];
  /** The point of the table in each cell, row by row; null where there is none. */
  readonly cells: readonly (number | null)[];
  /** Where the line between better and worse runs; null where there is none. */
  readonly level: { readonly value: number; readonly title: string } | null;
}

interface HeatOptions {
  readonly measure: number;
  readonly slice?: StudyValue | undefined;
  /** Null: through the value of the scenario as it is. */
  readonly level: number | null;
}

export function heatOf(table: StudyTable, { measure, slice, level }: HeatOptions): HeatPicture {
  const [across, upward] = table.factors as readonly [StudyFactor, StudyFactor];
  const places = slicedBy(table, slice);
  const points = places.map((place) => table.points[place] as StudyPoint);
  const [columns, rows] = [valuesOf(points, 0, across), valuesOf(points, 1, upward)];
  const key = (x: StudyValue | undefined, y: StudyValue | undefined) => JSON.stringify([x, y]);
  const found = new Map(points.map(({ values }, at) => [key(values[0], values[1]), places[at] as number]));
  const cells = rows.flatMap((row) => columns.map((column) => found.get(key(column, row)) ?? null));
  const { unit = null } = table.measures[measure] ?? {};
  const present = found.get(key(nearest(columns, across), nearest(rows, upward)));
  const now = table.points[present ?? -1]?.cells[measure]?.mean ?? null;
  const line =
    level !== null
      ? { value: level, title: numberText(unit, level) }
      : now !== null
        ? { value: now, title: `${numberText(unit, now)}, as now` }
        : null;
  return { table, measure, across, upward, columns, rows, cells, level: line };
}

/** The value of an axis that is nearest to that of the scenario; undefined where that is none of its own. */
export function nearest(
  values: readonly StudyValue[],
  { present, isWords, scale }: StudyFactor,
): StudyValue | undefined {
  if (present === null) return undefined;
  if (isWords || typeof present !== "number") return values.find((value) => value === present);
  const numbers = values.map(Number);
  const { scale: along } = numberAxis(scale === "log", [numbers[0] ?? 0, numbers.at(-1) ?? 1], [0, 1], 1);
  const place = nearestWithin(numbers, (value) => Math.abs(along(value) - along(present)));
  return place === null ? undefined : values[place];
}

/** Ink of the cells from the least value to the greatest: on the lighter ones letters are ink, on the darker ones they are not. */
const INK = [0.05, 0.08, 0.13, 0.2, 0.29, 0.4, 0.64, 0.77] as const;
/** Cells with more ink than this have letters in the colour of the paper. */
const DARK = 0.5;

/** Above the cells, and below them with the values of the axis. */
const [TOP, BELOW] = [54, 44];

/** The grid of cells: names at its left and below. */
export function heatFrame(
  width: number,
  height: number,
  { rows, upward, columns, across }: HeatPicture,
): Frame {
  const names = rows.map((row) => label(upward, row));
  const longest = Math.max(...names.map(({ length }) => length), 2);
  const left = Math.min(width / 3, Math.max(56, LETTER * longest + 24));
  return frameOf(
    boxOf(width, height, { left, right: 16, top: TOP, bottom: BELOW }),
    (range) =>
      namedAxis(
        columns.map((column) => label(across, column)),
        range,
      ),
    (range) => namedAxis(names, range),
  );
}

/** Width and height of a cell. */
const cellSize = ({ x, y }: Frame) => ({
  width: x.scale(1) - x.scale(0),
  height: y.scale(0) - y.scale(1),
});

/** A cell in whole pixels. */
function cellAt({ x, y }: Frame, column: number, row: number) {
  const [left, right] = [Math.round(x.scale(column - 0.5)), Math.round(x.scale(column + 0.5))];
  const [bottom, top] = [Math.round(y.scale(row - 0.5)), Math.round(y.scale(row + 0.5))];
  return { left, top, width: right - left, height: bottom - top, right, bottom };
}

const label = (factor: StudyFactor, value: StudyValue): string =>
  typeof value === "number" ? plainNumber(value) : valueText(factor, value);

/** The column and the row under a place; null outside of the cells. */
export function cellUnder(
  frame: Frame,
  { columns, rows }: HeatPicture,
  x: number,
  y: number,
): readonly [column: number, row: number] | null {
  const [column, row] = [frame.x.scale.invert(x), frame.y.scale.invert(y)].map((at) =>
    Math.floor(at + 0.5),
  ) as [number, number];
  return column >= 0 && column < columns.length && row >= 0 && row < rows.length ? [column, row] : null;
}

const pointIn = (
  { table, cells, columns }: HeatPicture,
  column: number,
  row: number,
): StudyPoint | undefined => table.points[cells[row * columns.length + column] ?? -1];

const meanIn = (picture: HeatPicture, column: number, row: number): number | null =>
  pointIn(picture, column, row)?.cells[picture.measure]?.mean ?? null;

const meansOf = ({ table, measure, cells }: HeatPicture): readonly number[] =>
  cells.flatMap((place) => table.points[place ?? -1]?.cells[measure]?.mean ?? []);

/** Between what the means of the measure lie; null while there is none. */
export function heatExtent(picture: HeatPicture): readonly [number, number] | null {
  const means = meansOf(picture);
  return means.length === 0 ? null : [Math.min(...means), Math.max(...means)];
}

/** As many decimals as the greatest number of a map has three digits with; none where all are whole. */
function decimalsOf(picture: HeatPicture): number {
  const means = meansOf(picture);
  const most = Math.max(...means.map(Math.abs));
  return means.every(Number.isInteger) ? 0 : decimalsFor(most, 3);
}

/** The cells with their numbers, the line of the level through them, and where the scenario stands. */
export function drawHeat(
  surface: Surface,
  theme: Theme,
  width: number,
  height: number,
  picture: HeatPicture,
): void {
  const frame = heatFrame(width, height, picture);
  const extent = heatExtent(picture);
  const { columns, rows, across, upward } = picture;
  const decimals = decimalsOf(picture);
  const numbers = columns.flatMap((_, column) =>
    rows.map((_row, row) => {
      const mean = meanIn(picture, column, row);
      return mean === null ? "" : fixed(mean, decimals);
    }),
  );
  const size = cellSize(frame);
  const hasNumbers =
    size.height >= 16 && Math.max(...numbers.map((text) => textWidth(text, theme))) <= size.width - 6;
  columns.forEach((_, column) => {
    rows.forEach((_row, row) => {
      const point = pointIn(picture, column, row);
      const { left: x, top: y, width: wide, height: high } = cellAt(frame, column, row);
      const mean = meanIn(picture, column, row);
      if (mean === null) {
        drawEmpty(surface, theme, x, y, wide, high, point);
        return;
      }
      const ink = inkOf(mean, extent);
      surface.begin();
      surface.rect(x, y, wide - 1, high - 1);
      surface.fill(theme.ink, ink);
      if (hasNumbers) {
        const text = numbers[column * rows.length + row] ?? "";
        const colour = ink > DARK ? theme.bg : theme.ink;
        surface.text({ text, colour }, x + wide / 2 - 0.5, y + high / 2 + 3.5, { align: "middle" });
      }
    });
  });
  drawLevel(surface, theme, frame, picture);
  drawPresent(surface, theme, frame, picture);
  const every = Math.ceil(40 / size.width);
  frame.x.ticks.forEach(({ value, label }) => {
    if (value % every !== 0 && !across.isWords) return;
    const text = across.isWords ? fitted(label, size.width - 4) : label;
    const look = axisLook(theme, across, columns[value] as StudyValue);
    surface.text({ text, ...look }, frame.x.scale(value), frame.bottom + TICK.below, { align: "middle" });
  });
  const everyRow = Math.ceil(14 / size.height);
  frame.y.ticks.forEach(({ value, label: text }) => {
    if (value % everyRow !== 0) return;
    const look = axisLook(theme, upward, rows[value] as StudyValue);
    surface.text({ text, ...look }, frame.left - TICK.toLabel, frame.y.scale(value) + TICK.middle, {
      align: "end",
    });
  });
  surface.text({ text: axisTitle(across), colour: theme.t3 }, frame.right, frame.bottom + 34, {
    align: "end",
  });
  surface.text({ text: axisTitle(upward), colour: theme.t3 }, 16, frame.top - 10);
  drawLegend(surface, theme, width, picture, extent);
}

/** Title of the measure, and what the ink stands for. */
function drawLegend(
  surface: Surface,
  theme: Theme,
  width: number,
  picture: HeatPicture,
  extent: readonly [number, number] | null,
): void {
  const { table, measure } = picture;
  const { title = "", unit = null } = table.measures[measure] ?? {};
  surface.text(
    [
      { text: title, colour: theme.ink, bold: true },
      { text: unitText(unit), colour: theme.t3, gap: 8 },
    ],
    16,
    18,
    { size: 12 },
  );
  if (!extent) return;
  const [least, most] = extent.map((value) => fixed(value, decimalsOf(picture)));
  const end = width - 48;
  const start = end - textWidth(most ?? "", theme) - 6 - INK.length * SWATCH;
  if (start < 16 + textWidth(title, theme, 12, true) + textWidth(unitText(unit), theme, 12) + 60) return;
  surface.text({ text: least ?? "", colour: theme.t3 }, start - 6, 18, { align: "end" });
  surface.text({ text: most ?? "", colour: theme.t3 }, end, 18, { align: "end" });
  INK.forEach((ink, at) => {
    surface.begin();
    surface.rect(start + at * SWATCH, 9, SWATCH - 1, 10);
    surface.fill(theme.ink, ink);
  });
}

/** Width of a step of ink in the legend. */
const SWATCH = 14;

/** The present value of an axis stands out; what theory recommends is darker than the rest. */
function axisLook(theme: Theme, { present, recommended }: StudyFactor, value: StudyValue) {
  const isPresent = value === present;
  const isRecommended =
    recommended !== null && typeof value === "number" && value >= recommended[0] && value <= recommended[1];
  return { colour: isPresent || isRecommended ? theme.ink : theme.t3, bold: isPresent };
}

function inkOf(mean: number, extent: readonly [number, number] | null): number {
  const [low, high] = extent ?? [mean, mean];
  const share = high > low ? (mean - low) / (high - low) : 0.4;
  return INK[Math.min(INK.length - 1, Math.floor(share * INK.length))] ?? 0;
}

/** A cell without a number: hatched where the engine refuses it, else with a ring, for it is still to run. */
function drawEmpty(
  surface: Surface,
  theme: Theme,
  x: number,
  y: number,
  wide: number,
  high: number,
  point: StudyPoint | undefined,
): void {
  surface.begin();
  surface.rect(x + 0.5, y + 0.5, wide - 2, high - 2);
  surface.stroke({ colour: theme.line, width: 1 });
  if (!point) return;
  if (point.refused === null) {
    surface.begin();
    surface.circle(x + wide / 2 - 0.5, y + high / 2 - 0.5, 3);
    surface.stroke({ colour: theme.line2, width: 1.25 });
    return;
  }
  surface.clipped(x, y, wide - 1, high - 1, () => {
    surface.begin();
    for (let at = -high; at < wide; at += 7) {
      surface.moveTo(x + at, y + high);
      surface.lineTo(x + at + high, y);
    }
    surface.stroke({ colour: theme.line2, width: 1 });
  });
}

/** Along the edges between cells where the measure passes the level: no further than what was run says. */
function drawLevel(surface: Surface, theme: Theme, frame: Frame, picture: HeatPicture): void {
  const { level, columns, rows } = picture;
  if (!level) return;
  const side = (column: number, row: number) => {
    const mean = meanIn(picture, column, row);
    return mean === null ? null : mean <= level.value;
  };
  const x = (column: number) => cellAt(frame, column, 0).left - 0.5;
  const y = (row: number) => cellAt(frame, 0, row).bottom - 0.5;
  const trace = () => {
    surface.begin();
    columns.forEach((_, column) => {
      rows.forEach((_row, row) => {
        const here = side(column, row);
        if (here === null) return;
        const right = column + 1 < columns.length ? side(column + 1, row) : null;
        const above = row + 1 < rows.length ? side(column, row + 1) : null;
        if (right !== null && right !== here) {
          surface.moveTo(x(column + 1), y(row));
          surface.lineTo(x(column + 1), y(row + 1));
        }
        if (above !== null && above !== here) {
          surface.moveTo(x(column), y(row + 1));
          surface.lineTo(x(column + 1), y(row + 1));
        }
      });
    });
  };
  trace();
  surface.stroke({ colour: theme.bg, width: 5, join: "round" });
  trace();
  surface.stroke({ colour: theme.ink, width: 2, join: "round" });
}

/** A frame about the cell that is nearest to the scenario as it is. */
function drawPresent(
  surface: Surface,
  theme: Theme,
  frame: Frame,
  { columns, rows, across, upward }: HeatPicture,
) {
  const column = columns.indexOf(nearest(columns, across) as StudyValue);
  const row = rows.indexOf(nearest(rows, upward) as StudyValue);
  if (column < 0 || row < 0) return;
  drawCellFrame(surface, theme, frame, column, row, REFERENCE);
}

const REFERENCE = [3, 2];

/** A frame about a cell. */
export function drawCellFrame(
  surface: Surface,
  theme: Theme,
  frame: Frame,
  column: number,
  row: number,
  dash: readonly number[] = [],
): void {
  const { left, top, width, height } = cellAt(frame, column, row);
  const outline = (inset: number) => {
    surface.begin();
    surface.rect(crisp(left) + inset, crisp(top) + inset, width - 2 - 2 * inset, height - 2 - 2 * inset);
  };
  outline(1.5);
  surface.stroke({ colour: theme.bg, width: 4 });
  outline(1.5);
  surface.stroke({ colour: theme.ink, width: 1.5, dash });
}

/** The picture in words. */
export function heatSentence(picture: HeatPicture): string {
  const { table, measure, across, upward, columns, rows, level } = picture;
  const { title = "", unit = null } = table.measures[measure] ?? {};
  const known = rows.flatMap((y, row) =>
    columns.flatMap((x, column) => {
      const mean = meanIn(picture, column, row);
      return mean === null ? [] : [{ mean, x, y }];
    }),
  );
  const over = `Heat map of ${title} over ${spokenFactor(across)} and ${spokenFactor(upward)}`;
  if (known.length === 0) return `${over}: no value yet.`;
  const least = known.reduce((best, item) => (item.mean < best.mean ? item : best));
  const most = known.reduce((best, item) => (item.mean > best.mean ? item : best));
  const at = ({ x, y }: { readonly x: StudyValue; readonly y: StudyValue }) =>
    `${spokenFactor(across)} ${valueText(across, x)} and ${spokenFactor(upward)} ${valueText(upward, y)}`;
  const below = level
    ? ` ${known.filter(({ mean }) => mean <= level.value).length} of ${known.length} cells are at or below the line, ${level.title}.`
    : "";
  return `${over}: least, ${numberText(unit, least.mean)}, at ${at(least)}; greatest, ${numberText(unit, most.mean)}, at ${at(most)}.${below}`;
}
