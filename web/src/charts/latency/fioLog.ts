import type { OperationKind } from "../../answers/fit.ts";
import type { FioLog, LogWindow } from "../../generated/answers.d.ts";
import { type Ends, timeAxis } from "../drawing/axis.ts";
import { formatLatencyUnit } from "../drawing/format.ts";
import { boxOf, drawFrame } from "../drawing/frame.ts";
import { pushApart } from "../drawing/pushApart.ts";
import { linePath } from "../drawing/shape.ts";
import type { Surface } from "../drawing/surface.ts";
import type { Theme } from "../drawing/theme.ts";
import { numberText, plainNumber } from "../study/studyText.ts";
import { type ValueAxis, valueAxis } from "../study/valueAxis.ts";

/** What a log says of its reads or writes at every instant. */
interface LogLine {
  readonly kind: OperationKind;
  readonly of: (typeof STATISTICS)[number];
  readonly windows: readonly LogWindow[];
}

/** What windows say, the plainest first; a log of rates has the first one only. */
const STATISTICS = ["mean", "p99", "max"] as const;

const MARGINS = { left: 60, right: 96, top: 8, bottom: 24 };
/** Reads are solid, writes dashed, as everywhere on this page where both stand together. */
const DASH: Readonly<Record<OperationKind, readonly number[]>> = { reads: [], writes: [5, 3] };
const MEGABYTE = 1e6;

/** Values of a log in the unit that they are drawn in. */
const unitOf = ({ unit }: FioLog): { readonly unit: string; readonly divisor: number } =>
  unit === "µs"
    ? { unit: "us", divisor: 1 }
    : unit === "B/s"
      ? { unit: "MB/s", divisor: MEGABYTE }
      : { unit, divisor: 1 };

/** The lines of a log: mean and p99, or mean and maximum where it has no percentiles. */
export function linesOf(log: FioLog): readonly LogLine[] {
  return (["reads", "writes"] as const).flatMap((kind) => {
    const windows = log[kind];
    const has = (of: LogLine["of"]) => windows.some((window) => window[of] !== undefined);
    const [plain, ...others] = STATISTICS.filter(has);
    const second = others[0];
    return [plain, second].flatMap((of) => (of ? [{ kind, of, windows }] : []));
  });
}

/** The axis of a log's values, and what a value is drawn as. */
function axisOf(log: FioLog, range: Ends): { readonly axis: ValueAxis; readonly divisor: number } {
  const { unit, divisor } = unitOf(log);
  const values = linesOf(log).flatMap(({ windows, of }) =>
    windows.flatMap((window) => window[of] ?? []).map((value) => value / divisor),
  );
  const low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = values.reduce((most, value) => Math.max(most, value), 0);
  return { axis: valueAxis([Number.isFinite(low) ? low : 0, high], unit, range), divisor };
}

/** What stands behind the title: the unit, and what is special about the axis. */
export const logUnit = (log: FioLog): string => axisOf(log, [0, 1]).axis.note;

/** A log over time: means strong, percentiles or maxima thin. */
export function drawLog(surface: Surface, theme: Theme, width: number, height: number, log: FioLog): void {
  const box = boxOf(width, height, MARGINS);
  const { left, right, top, bottom } = box;
  const { axis, divisor } = axisOf(log, [bottom, top]);
  const lines = linesOf(log);
  const endS = lines.reduce((last, { windows }) => Math.max(last, windows.at(-1)?.atS ?? 0), 0) || 1;
  const time = timeAxis([0, endS * 1e6], [left, right]);
  const x = (atS: number) => time.scale(atS * 1e6);
  const y = (value: number) => axis.scale(value / divisor);
  drawFrame(surface, theme, { ...box, x: time, y: axis });
  for (const { kind, of, windows } of lines) {
    linePath(
      surface,
      windows,
      ({ atS }) => x(atS),
      (window) => y(window[of] ?? Number.NaN),
    );
    surface.stroke({
      colour: theme.ink,
      width: of === "mean" ? 1.75 : 0.75,
      dash: DASH[kind],
      join: "round",
    });
  }
  const ends = pushApart(
    lines.map(({ of, windows }) => y(windows.findLast((window) => window[of] !== undefined)?.[of] ?? 0)),
    14,
    top + 4,
    bottom - 2,
  );
  for (const [at, { kind, of }] of lines.entries()) {
    const text = of === "mean" ? kind : `${kind}, ${of === "max" ? "greatest" : of}`;
    surface.text({ text, colour: of === "mean" ? theme.ink : theme.t2 }, right + 8, (ends[at] as number) + 4);
  }
}

/** Columns of the table twin. */
export const logHeaders = (log: FioLog): readonly string[] => [
  "until (s)",
  ...linesOf(log).map(({ kind, of }) => `${kind}, ${of} (${unitOf(log).unit})`),
];

/** Rows of the table twin: an instant at which a window ends, and what the log says of it. */
export function* logRows(log: FioLog): Iterable<readonly (string | number)[]> {
  const { divisor } = unitOf(log);
  const lines = linesOf(log).map(({ of, windows }) => ({
    of,
    byEnd: new Map(windows.map((window) => [window.atS, window])),
  }));
  const ends = [...new Set(lines.flatMap(({ byEnd }) => [...byEnd.keys()]))].toSorted((a, b) => a - b);
  for (const end of ends) {
    yield [end, ...lines.map(({ of, byEnd }) => (byEnd.get(end)?.[of] ?? Number.NaN) / divisor)];
  }
}

/** The picture in words: of each line its first and last value, and between what it lies. */
export function logSentence(log: FioLog): string {
  const { unit, divisor } = unitOf(log);
  const shown = (value: number | undefined) =>
    value === undefined
      ? ""
      : unit === "us"
        ? formatLatencyUnit(value)
        : unit === "MB/s"
          ? `${plainNumber(value / divisor)} MB/s`
          : numberText(unit, value);
  const said = linesOf(log).map(({ kind, of, windows }) => {
    const values = windows.flatMap((window) => window[of] ?? []);
    const least = values.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
    const most = values.reduce((one, other) => Math.max(one, other), 0);
    return `${kind}, ${of}: ${shown(values[0])} at first, ${shown(values.at(-1))} at last, from ${shown(least)} to ${shown(most)}`;
  });
  return `${log.title} over time. ${said.join("; ")}.`;
}
