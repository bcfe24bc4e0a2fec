import type { StudyFactor, StudyPoint, StudyTable, StudyValue } from "../../answers/study.ts";
import { crisp, horizontal } from "../drawing/plot.ts";
import type { Surface } from "../drawing/surface.ts";
import type { Theme } from "../drawing/theme.ts";
import type { Tick } from "../drawing/ticks.ts";
import { fitted } from "../picture/picture.ts";
import { scatterTicks } from "./scatter.ts";
import { plainNumber, spokenFactor, unitText, valueText } from "./studyText.ts";

/** The values of something that varies, in the order of its axis: numbers upwards, words as they come. */
export function valuesOf(
  points: readonly StudyPoint[],
  at: number,
  { isWords }: StudyFactor,
): readonly StudyValue[] {
  const values = [...new Set(points.map(({ values }) => values[at] as StudyValue))];
  return isWords ? values : values.toSorted((a, b) => Number(a) - Number(b));
}

/** The points of a table in which a third factor has a value; all where there is no third one. */
export const slicedBy = ({ points }: StudyTable, slice: StudyValue | undefined): readonly number[] =>
  points.flatMap(({ values }, place) => (slice === undefined || values[2] === slice ? [place] : []));

/** An axis along which something varies: places from 0 to 1. */
export interface ParameterAxis {
  readonly factor: StudyFactor;
  readonly values: readonly StudyValue[];
  /** Where a value stands; null where the axis does not reach it. */
  readonly share: (value: StudyValue) => number | null;
}

export function parameterAxis(factor: StudyFactor, values: readonly StudyValue[]): ParameterAxis {
  if (factor.isWords) {
    const share = (value: StudyValue) => {
      const place = values.indexOf(value);
      return place < 0 ? null : (place + 0.5) / values.length;
    };
    return { factor, values, share };
  }
  const [from, to] = [Number(values[0] ?? 0), Number(values.at(-1) ?? 1)];
  const isLog = factor.scale === "log" && from > 0;
  const along = (value: number) =>
    from === to ? 0.5 : isLog ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
  const share = (value: StudyValue) => {
    const at = typeof value === "number" && !(isLog && value <= 0) ? along(value) : Number.NaN;
    return at >= -1e-9 && at <= 1 + 1e-9 ? at : null;
  };
  return { factor, values, share };
}

/** So many values have ticks of their own; of more only round ones do. */
const OWN_TICKS = 8;

/** Ticks at the values themselves where there are few, else at round ones. */
export function parameterTicks({ factor, values }: ParameterAxis, room: number): readonly Tick[] {
  if (factor.isWords)
    return values.map((value, place) => ({ value: place, label: valueText(factor, value) }));
  const numbers = values.map(Number);
  if (numbers.length <= Math.min(OWN_TICKS, room / 44))
    return numbers.map((value) => ({ value, label: plainNumber(value) }));
  const [from, to] = [numbers[0] ?? 0, numbers.at(-1) ?? 1];
  const isLog = factor.scale === "log" && from > 0;
  return scatterTicks(
    { from, to, scale: isLog ? "log" : "even", words: null },
    Math.max(2, Math.floor(room / 64)),
  );
}

/** "K, packets" */
export const axisTitle = (factor: StudyFactor): string =>
  [spokenFactor(factor), unitText(factor.unit)].filter(Boolean).join(", ");

/** The line of the axis, its ticks and their labels; its title stands at its right end where there is room, else below. */
export function drawParameterAxis(
  surface: Surface,
  theme: Theme,
  axis: ParameterAxis,
  {
    left,
    right,
    y,
    width,
  }: { readonly left: number; readonly right: number; readonly y: number; readonly width: number },
): void {
  const { factor, values } = axis;
  const x = (share: number) => left + share * (right - left);
  const ticks = parameterTicks(axis, right - left);
  horizontal(surface, left, right, y);
  if (!factor.isWords) {
    for (const { value } of ticks) {
      const at = crisp(x(axis.share(value) ?? 0));
      surface.moveTo(at, y);
      surface.lineTo(at, y + 4);
    }
  }
  surface.stroke({ colour: theme.line2, width: 1 });
  const room = (right - left) / Math.max(1, values.length) - 4;
  ticks.forEach(({ value, label }) => {
    const share = factor.isWords ? (value + 0.5) / values.length : (axis.share(value) ?? 0);
    const text = factor.isWords ? fitted(label, room) : label;
    if (text === "") return;
    surface.text(
      { text, colour: factor.isWords ? theme.t2 : theme.t3, ...(text !== label && { full: label }) },
      x(share),
      y + 17,
      { align: "middle" },
    );
  });
  const title = { text: axisTitle(factor), colour: theme.t3 };
  const last = factor.isWords ? 0 : (6.2 * (ticks.at(-1)?.label.length ?? 0)) / 2;
  const beside = right + Math.max(12, last + 8);
  if (width - beside >= 6.2 * title.text.length) surface.text(title, beside, y + 17);
  else surface.text(title, right, y + 32, { align: "end" });
}
