import type { StudyFactor, StudyPoint, StudyTable, StudyValue } from "../../generated/answers.d.ts";
import { type Axis, type Ends, namedAxis, numberAxis } from "../drawing/axis.ts";
import { type Box, drawAxisLabels, drawAxisLine } from "../drawing/frame.ts";
import { type Surface, textWidth } from "../drawing/surface.ts";
import type { Theme } from "../drawing/theme.ts";
import { fitted } from "../picture/picture.ts";
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

/** What varies, and the values that it takes. */
export interface Variation {
  readonly factor: StudyFactor;
  readonly values: readonly StudyValue[];
}

/** An axis along which something varies. */
export interface ParameterAxis extends Axis {
  /** Where a value is; null where the axis does not reach it. */
  readonly at: (value: StudyValue) => number | null;
}

/** So many values have ticks of their own; of more only round ones do. */
const OWN_TICKS = 8;
/** Room of the label of a value of its own, and of a round one. */
const [OWN_PITCH, PITCH] = [44, 64];

/** Ticks at the values themselves where there are few, else at round ones. */
export function parameterAxis({ factor, values }: Variation, range: Ends): ParameterAxis {
  const room = range[1] - range[0];
  if (factor.isWords) {
    const words = values.map((value) => valueText(factor, value));
    const axis = namedAxis(words, range);
    const at = (value: StudyValue) => {
      const place = values.indexOf(value);
      return place < 0 ? null : axis.scale(place);
    };
    return { ...axis, at };
  }
  const numbers = values.map(Number);
  const domain = [numbers[0] ?? 0, numbers.at(-1) ?? 1] as const;
  const count = Math.max(2, Math.floor(room / PITCH));
  const { scale, ticks } = numberAxis(factor.scale === "log", domain, range, count);
  const own = numbers.map((value) => ({ value, label: plainNumber(value) }));
  const [left, right] = [range[0] - 1e-6, range[1] + 1e-6];
  const at = (value: StudyValue) => {
    const place = typeof value === "number" ? scale(value) : Number.NaN;
    return place >= left && place <= right ? place : null;
  };
  return { scale, ticks: own.length <= Math.min(OWN_TICKS, room / OWN_PITCH) ? own : ticks, at };
}

/** "K, packets" */
export const axisTitle = (factor: StudyFactor): string =>
  [spokenFactor(factor), unitText(factor.unit)].filter(Boolean).join(", ");

/** The axis with its title, which stands at the right end of the labels where there is room, else below. */
export function drawParameterAxis(
  surface: Surface,
  theme: Theme,
  box: Box,
  { factor }: Variation,
  { scale, ticks }: Axis,
): void {
  const { left, right, bottom } = box;
  let end = right;
  if (factor.isWords) {
    drawAxisLine(surface, theme, box, null);
    const room = (right - left) / Math.max(1, ticks.length) - 4;
    for (const { value, label } of ticks) {
      const text = fitted(label, room);
      const full = text === label ? {} : { full: label };
      if (text !== "")
        surface.text({ text, colour: theme.t2, ...full }, scale(value), bottom + 16, { align: "middle" });
    }
  } else {
    drawAxisLine(surface, theme, box, { scale, ticks });
    const last = drawAxisLabels(surface, theme, box, { scale, ticks }).at(-1);
    if (last) end = Math.max(end, last.x + textWidth(last.text, theme) / 2);
  }
  const title = { text: axisTitle(factor), colour: theme.t3 };
  const beside = Math.max(right + 12, end + 8);
  if (box.width - beside >= textWidth(title.text, theme)) surface.text(title, beside, bottom + 16);
  else surface.text(title, right, bottom + 32, { align: "end" });
}
