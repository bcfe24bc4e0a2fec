import type { ScatterAxis, ScatterLook, ScatterPicture } from "../../charts/study/scatter.ts";
import { meanText, plainNumber, unitText, valueText } from "../../charts/study/studyText.ts";
import type {
  Found,
  Margin,
  Standing,
  StudyCell,
  StudyFactor,
  StudyPoint,
  StudyTable,
  StudyValue,
} from "../../generated/answers.d.ts";
import { getPath, setPaths } from "../../scenario/path.ts";
import type { StudyDocument, StudyPreference, StudyTarget } from "../../scenario/study.ts";
import type { Scenario } from "../../scenario/types.ts";
import { factorsOf } from "./studyEdit.ts";
import type { SearchAsk } from "./targets.ts";

/** What a search has found so far, as its pane shows it. */

/** What the parts of the pane show. */
export interface SearchParts {
  readonly ask: SearchAsk;
  readonly table: StudyTable;
}

export const settingsText = (count: number): string => (count === 1 ? "1 setting" : `${count} settings`);

/** "285 µs (281 to 290)" */
export function cellText(unit: string | null, { mean, low, high, why }: StudyCell): string {
  return mean === null ? (why ?? "–") : meanText(unit, mean, low, high);
}

/** The fields of a scenario that a path of a study stands for: `classes[].transport` is that of every class. */
function pathsIn(scenario: Scenario, path: string): readonly string[] {
  const at = path.indexOf("[]");
  if (at < 0) return [path];
  const list = getPath(scenario, path.slice(0, at));
  const count = Array.isArray(list) ? list.length : 0;
  return Array.from({ length: count }, (_, item) => item).flatMap((item) =>
    pathsIn(scenario, `${path.slice(0, at)}[${item}]${path.slice(at + 2)}`),
  );
}

/** The scenario with the settings of a point of a study. */
export const withPoint = (scenario: Scenario, { set }: Pick<StudyPoint, "set">): Scenario =>
  setPaths(
    scenario,
    Object.entries(set).flatMap(([path, value]) =>
      pathsIn(scenario, path).map((own) => ({ path: own, value })),
    ),
  );

/** A setting: what it is now, and what it becomes. */
export interface SettingDifference {
  readonly factor: StudyFactor;
  readonly now: string;
  readonly value: string;
  readonly isChanged: boolean;
  /** What the model would set at first; null where theory says nothing of the settings. */
  readonly guess: string | null;
  /** How far it may move alone; null where nobody knows. */
  readonly margin: Margin | null;
}

const saidOr = (factor: StudyFactor, value: StudyValue | null | undefined): string =>
  value === null || value === undefined ? "–" : valueText(factor, value);

/** What a point would change, factor by factor, beside the model's first guess. */
export function settingDifferences(
  { factors, points }: StudyTable,
  point: number,
  guess: number | null,
  margins: readonly Margin[],
): readonly SettingDifference[] {
  const values = points[point]?.values ?? [];
  const guessed = guess === null ? undefined : points[guess]?.values;
  return factors.map((factor, at) => ({
    factor,
    now: saidOr(factor, factor.present),
    value: saidOr(factor, values[at]),
    isChanged: values[at] !== factor.present,
    guess: guessed ? saidOr(factor, guessed[at]) : null,
    margin: margins.find((margin) => margin.factor === at) ?? null,
  }));
}

/** From where to where a factor may move alone: "18 to 61 packets"; null where that is one value, or words. */
export function marginText({ unit, names }: StudyFactor, { from, to }: Margin): string | null {
  if (from === null || to === null || from === to) return null;
  const last = valueText({ unit, names }, to);
  return `${unit === "us" ? valueText({ unit, names }, from) : plainNumber(from)} to ${last}`;
}

/** How many points are thought what of. */
export type StandingCounts = Readonly<Record<Standing, number>> & { readonly refused: number };

export function standingCounts({ points }: StudyTable, candidates: readonly Standing[]): StandingCounts {
  const counts = { open: 0, misses: 0, beaten: 0, leading: 0, refused: 0 };
  points.forEach(({ refused }, at) => {
    if (refused !== null) counts.refused++;
    else counts[candidates[at] ?? "open"]++;
  });
  return counts;
}

/** The axis of a factor: over its whole range, so that it stays as it is while points come. */
function factorAxis(study: StudyDocument, { factors, points }: StudyTable, at: number): ScatterAxis {
  const factor = factors[at];
  const { range, values = [] } = factorsOf(study)[at] ?? {};
  const words = wordsOf(study, { factors, points }, at);
  if (words) return { from: 0, to: 1, scale: "even", words };
  const numbers = [...values, ...points.map((point) => point.values[at])].filter(
    (value): value is number => typeof value === "number",
  );
  const from = range?.from ?? Math.min(...numbers);
  const to = range?.to ?? Math.max(...numbers);
  const isLog = factor?.scale === "log" && from > 0;
  if (!Number.isFinite(from) || !Number.isFinite(to)) return { from: 0, to: 1, scale: "even", words: null };
  return { from, to, scale: isLog ? "log" : "even", words: null };
}

/** The words of a factor, in the order of the study; null of numbers. */
function wordsOf(
  study: StudyDocument,
  { factors, points }: Pick<StudyTable, "factors" | "points">,
  at: number,
): readonly string[] | null {
  const factor = factors[at];
  if (!factor?.isWords) return null;
  return keysOf(study, points, at).map((key) => factor.names[key] ?? key);
}

const keysOf = (study: StudyDocument, points: readonly StudyPoint[], at: number): readonly string[] => {
  const { values = [], alternatives = [] } = factorsOf(study)[at] ?? {};
  return [
    ...new Set(
      [...values, ...alternatives.map(({ title }) => title), ...points.map((point) => point.values[at])].map(
        String,
      ),
    ),
  ];
};

/** Where a value stands on the axis of its factor. */
function placeOf(study: StudyDocument, table: StudyTable, at: number, value: StudyValue | undefined): number {
  if (!table.factors[at]?.isWords) return typeof value === "number" ? value : Number.NaN;
  return keysOf(study, table.points, at).indexOf(String(value));
}

/** Room above a bound of a target, in times of it. */
const BEYOND = 2;

/** The part of the marks that the axis has room for, if they exceed the room above the bound. */
const SHOWN = 0.9;

/** The axis of a measure that has a bound: with room above the bound, and for nearly all that was tried. */
function measureAxis({ points }: StudyTable, measure: number, target: StudyTarget | undefined): ScatterAxis {
  const bound = target?.atMost ?? target?.atLeast ?? 0;
  const numbers = points.flatMap(({ cells }) => cells[measure]?.mean ?? []).toSorted((a, b) => a - b);
  const most = numbers[Math.ceil(SHOWN * numbers.length) - 1] ?? 0;
  const to = bound > 0 ? Math.max(BEYOND * bound, most) : Math.max(1e-9, ...numbers);
  return { from: Math.min(0, ...numbers), to, scale: "even", words: null };
}

/** Which measure of the table a target is about. */
export const measureAt = ({ measures }: StudyTable, { measure }: Pick<StudyTarget, "measure">): number =>
  measures.findIndex(({ title }) => title === measure);

/** The points tried, by one factor and by what a target asks of them. */
export function candidatesPicture(
  study: StudyDocument,
  table: StudyTable,
  candidates: readonly Standing[],
  factor: number,
  target: StudyTarget,
  named: { readonly found: number | null; readonly word: string; readonly guess: number | null },
): ScatterPicture {
  const measure = measureAt(table, target);
  const view = table.factors[factor];
  const present = view?.present ?? null;
  const now = present === null ? Number.NaN : placeOf(study, table, factor, present);
  const look = (at: number): ScatterLook => candidates[at] ?? "open";
  const bounds = [
    ...(typeof target.atMost === "number"
      ? [{ value: target.atMost, label: `at most ${plainNumber(target.atMost)}` }]
      : []),
    ...(typeof target.atLeast === "number"
      ? [{ value: target.atLeast, label: `at least ${plainNumber(target.atLeast)}` }]
      : []),
  ];
  return {
    x: factorAxis(study, table, factor),
    y: measureAxis(table, measure, target),
    marks: table.points.flatMap((point, at) =>
      point.refused === null
        ? [
            {
              point: at,
              x: placeOf(study, table, factor, point.values[factor]),
              y: point.cells[measure]?.mean ?? null,
              look: look(at),
              ...(at === named.found && { label: named.word }),
              ...(at === named.guess && at !== named.found && { label: "model’s guess" }),
            },
          ]
        : [],
    ),
    upright: Number.isFinite(now) ? [{ value: now, label: `now ${saidShort(view, present)}` }] : [],
    level: bounds,
    unit: unitText(view?.unit ?? null),
  };
}

const saidShort = (factor: StudyFactor | undefined, value: StudyValue | null): string =>
  typeof value === "number" && factor?.unit !== "us"
    ? plainNumber(value)
    : factor && value !== null
      ? valueText(factor, value)
      : "";

/** What a preference is of, and what it comes to at a point; null where nobody knows. */
export function preferred(
  { factors, measures, points }: StudyTable,
  { of }: StudyPreference,
  point: number,
): number | null {
  const factor = factors.findIndex(
    ({ title, paths }) => title === of || (paths.length === 1 && paths[0] === of),
  );
  if (factor >= 0) {
    const value = points[point]?.values[factor];
    return typeof value === "number" ? value : null;
  }
  return points[point]?.cells[measures.findIndex(({ title }) => title === of)]?.mean ?? null;
}

/** Title and unit of what is preferred. */
export function preferenceName(
  { factors, measures }: StudyTable,
  { of }: StudyPreference,
): { readonly title: string; readonly unit: string | null } {
  const factor = factors.find(({ title, paths }) => title === of || (paths.length === 1 && paths[0] === of));
  const found = factor ?? measures.find(({ title }) => title === of);
  return { title: found?.title ?? of, unit: found?.unit ?? null };
}

/** The trade-off between two things that are preferred, as a curve of points none of which is better in both. */
export function tradeOffPicture(
  table: StudyTable,
  [first, second]: readonly [StudyPreference, StudyPreference],
  { point: answer, tradeOff }: Pick<Found, "point" | "tradeOff">,
  chosen: number | null,
): ScatterPicture {
  const known = [...new Set([...tradeOff, ...(answer === null ? [] : [answer])])];
  const marks = known.flatMap((point) => {
    const [x, y] = [preferred(table, first, point), preferred(table, second, point)];
    const look: ScatterLook = point === chosen ? "leading" : "open";
    return x === null || y === null
      ? []
      : [{ point, x, y, look, ...(point === answer && { label: "answer" }) }];
  });
  const axis = (values: readonly number[]): ScatterAxis => {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const room = (most - least || Math.abs(most) || 1) / 12;
    return { from: least - room, to: most + room, scale: "even", words: null };
  };
  return {
    x: axis(marks.map(({ x }) => x)),
    y: axis(marks.map(({ y }) => y)),
    marks,
    upright: [],
    level: [],
    curve: marks.filter(({ point }) => tradeOff.includes(point)).toSorted((a, b) => a.x - b.x),
    unit: unitText(preferenceName(table, first).unit),
  };
}
