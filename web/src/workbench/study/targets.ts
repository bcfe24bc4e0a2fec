import type { StudyTable } from "../../generated/answers.d.ts";
import { figure } from "../../run/read.ts";
import type { RunView } from "../../run/types.ts";
import type {
  StudyAsk,
  StudyDocument,
  StudyMeasureDocument,
  StudyPreference,
  StudyTarget,
  Suggestions,
} from "../../scenario/study.ts";
import { factorsOf, measureOf, nameOf } from "./studyEdit.ts";

/** What is asked of a search by hand: functions of the document. */

export type SearchAsk = Extract<StudyAsk, { readonly kind: "search" }>;

/** What a search asks; null of other kinds. */
export const searchOf = ({ ask }: StudyDocument): SearchAsk | null => (ask.kind === "search" ? ask : null);

/** Stands in an expression for the name of each class. */
const EACH = "{class}";

const isOfEachClass = ({ value }: Pick<StudyMeasureDocument, "value">): boolean => value.includes(EACH);

/** What a measure of a class is called. */
const titleOf = (group: string, name: string | null): string => (name === null ? group : `${group}, ${name}`);

/** A measure that a target, or a preference, can name. */
export interface MeasureChoice {
  readonly group: string;
  readonly unit: string | null;
  /** There is one of every class. */
  readonly isOfEachClass: boolean;
}

/** What can be asked of: the measures of the study, then those that the engine suggests beside them. */
export function measureChoices(
  study: StudyDocument,
  { measures }: Pick<Suggestions, "measures">,
): readonly MeasureChoice[] {
  const own = study.measures.map(({ title, unit = null, value }) => ({ title, unit, value }));
  const others = measures.filter(({ title }) => own.every((measure) => measure.title !== title));
  return [...own, ...others].map((measure) => ({
    group: measure.title,
    unit: measure.unit,
    isOfEachClass: isOfEachClass(measure),
  }));
}

/** Which measure, of which class, a title is. */
export function partsOf(
  title: string,
  choices: readonly MeasureChoice[],
): { readonly choice: MeasureChoice | undefined; readonly name: string | null } {
  const whole = choices.find(({ group, isOfEachClass }) => group === title && !isOfEachClass);
  if (whole) return { choice: whole, name: null };
  const choice = choices.find(({ group, isOfEachClass }) => isOfEachClass && title.startsWith(`${group}, `));
  return { choice, name: choice ? title.slice(choice.group.length + 2) : null };
}

const withAsk = (study: StudyDocument, part: Partial<SearchAsk>): StudyDocument =>
  study.ask.kind === "search" ? { ...study, ask: { ...study.ask, ...part } } : study;

/** The study with a measure among those that it takes. */
function measuring(study: StudyDocument, group: string, { measures }: Suggestions): StudyDocument {
  const suggested = measures.find(({ title }) => title === group);
  if (!suggested || study.measures.some(({ title }) => title === group)) return study;
  return { ...study, measures: [...study.measures, measureOf(suggested)] };
}

/** A target takes another bound or confidence. */
export const setTarget = (study: StudyDocument, at: number, part: Partial<StudyTarget>): StudyDocument =>
  withAsk(study, {
    targets: (searchOf(study)?.targets ?? []).map((target, place) =>
      place === at ? { ...target, ...part } : target,
    ),
  });

/** Which ends of a measure a target bounds. */
export type Bounded = "atMost" | "atLeast" | "between";

export const boundedOf = ({ atMost, atLeast }: StudyTarget): Bounded =>
  typeof atMost === "number" && typeof atLeast === "number"
    ? "between"
    : typeof atLeast === "number" || (atLeast === null && atMost === undefined)
      ? "atLeast"
      : "atMost";

/** A target bounds other ends: the bound that it has goes on where it can. */
export function setBounded(study: StudyDocument, at: number, bounded: Bounded): StudyDocument {
  const targets = (searchOf(study)?.targets ?? []).map((target, place) => {
    if (place !== at) return target;
    const { atMost, atLeast, ...rest } = target;
    const known = (boundedOf(target) === "atLeast" ? atLeast : atMost) ?? null;
    if (bounded === "atMost") return { ...rest, atMost: known };
    if (bounded === "atLeast") return { ...rest, atLeast: known };
    return { ...rest, atLeast: atLeast ?? known, atMost: atMost ?? known };
  });
  return withAsk(study, { targets });
}

/** A target is about another measure, of a class where there is one of each: its bound was for the one before, and goes. */
export function setTargetMeasure(
  study: StudyDocument,
  at: number,
  group: string,
  name: string | null,
  suggestions: Suggestions,
  now: Now,
): StudyDocument {
  const measure = titleOf(group, name);
  const unit = measureChoices(study, suggestions).find((choice) => choice.group === group)?.unit ?? null;
  const targets = (searchOf(study)?.targets ?? []).map((target, place) => {
    if (place !== at) return target;
    const { confidence } = target;
    return { ...firstTarget(measure, unit, now), ...(confidence !== undefined && { confidence }) };
  });
  return measuring(withAsk(study, { targets }), group, suggestions);
}

export const removeTarget = (study: StudyDocument, at: number): StudyDocument =>
  withAsk(study, { targets: (searchOf(study)?.targets ?? []).filter((_, place) => place !== at) });

/** One more target: of a measure, or a class, that none is about yet. */
export function addTarget(
  study: StudyDocument,
  suggestions: Suggestions,
  classes: readonly string[],
  now: Now,
): StudyDocument {
  const targets = searchOf(study)?.targets ?? [];
  const titles = titlesOf(measureChoices(study, suggestions), classes);
  const free = titles.find(({ title }) => targets.every(({ measure }) => measure !== title)) ?? titles[0];
  if (!free) return study;
  const next = withAsk(study, { targets: [...targets, firstTarget(free.title, free.unit, now)] });
  return measuring(next, free.group, suggestions);
}

/** Every title that a target can name. */
const titlesOf = (choices: readonly MeasureChoice[], classes: readonly string[]) =>
  choices.flatMap(({ group, unit, isOfEachClass }) =>
    (isOfEachClass ? classes : [null]).map((name) => ({ title: titleOf(group, name), group, unit })),
  );

/** Whether a bound of a unit is a least one at first: rates are to be high, all else low. */
const isRate = (unit: string | null): boolean => unit !== null && /\/s$/.test(unit);

/** Digits of a bound that is proposed. */
const DIGITS = 2;

/** A round bound that is not tighter. */
export function loosened(bound: number, isMost: boolean, digits = DIGITS): number {
  const step = 10 ** (Math.floor(Math.log10(Math.abs(bound) || 1)) + 1 - digits);
  const round = isMost ? Math.ceil : Math.floor;
  return Number((round(bound / step + (isMost ? -1e-9 : 1e-9)) * step).toPrecision(12));
}

/** A target to begin with: as good as the present value, where that is known; else the person says how much. */
function firstTarget(measure: string, unit: string | null, now: Now): StudyTarget {
  const present = now(measure);
  const bound = present === null ? null : loosened(present, !isRate(unit));
  return isRate(unit) ? { measure, atLeast: bound } : { measure, atMost: bound };
}

/** What a measure is with the settings as they are, by its title; null where nobody knows. */
export type Now = (title: string) => number | null;

/** As the results of a study say, else as the run on the screen does: it is the first of that study. */
export function nowOf(study: StudyDocument, table: StudyTable | null, view: RunView | null): Now {
  return (title) => (table && presentOf(table, title)) ?? (view && shownOf(study, view, title));
}

/** A percentile of the latency of a class, as the run on the screen has it. */
function shownOf(study: StudyDocument, view: RunView, title: string): number | null {
  const { choice, name } = partsOf(title, measureChoices(study, { measures: [] }));
  const { value = "" } = study.measures.find((measure) => measure.title === choice?.group) ?? {};
  const [, percentile] = /\.latencyUs\.(p\d+)$/.exec(value) ?? [];
  const at = view.classes.findIndex((item) => item.name === name);
  const us = percentile && at >= 0 ? figure(view, at, `${percentile}Us`) : Number.NaN;
  return Number.isFinite(us) ? us : null;
}

/** What a measure is at the point of a table that is nearest to the present values. */
function presentOf({ factors, measures, points }: StudyTable, title: string): number | null {
  const at = measures.findIndex((measure) => measure.title === title);
  const distance = (values: (typeof points)[number]["values"]) =>
    factors.reduce((sum, { present }, place) => {
      const value = values[place];
      if (value === present) return sum;
      if (typeof value !== "number" || typeof present !== "number") return sum + 1;
      return sum + Math.abs(Math.log(Math.max(value, 1e-9) / Math.max(present, 1e-9)));
    }, 0);
  const known = points.filter(({ cells }) => typeof cells[at]?.mean === "number");
  const nearest = known.toSorted((a, b) => distance(a.values) - distance(b.values))[0];
  return nearest?.cells[at]?.mean ?? null;
}

/** Something that can be wanted least or most: a factor by its path or title, or a measure by its title. */
export interface Preferable {
  readonly of: string;
  readonly title: string;
}

export function preferables(
  study: StudyDocument,
  suggestions: Suggestions,
  classes: readonly string[],
): readonly Preferable[] {
  const factors = factorsOf(study).flatMap((factor) => {
    const of = factor.path ?? factor.title;
    return of ? [{ of, title: nameOf(factor, suggestions) }] : [];
  });
  const measures = titlesOf(measureChoices(study, suggestions), classes);
  return [...factors, ...measures.map(({ title }) => ({ of: title, title }))];
}

/** What is preferred takes another way, or is something else. */
export function setPreference(
  study: StudyDocument,
  at: number,
  part: Partial<StudyPreference>,
  suggestions: Suggestions,
): StudyDocument {
  const prefer = (searchOf(study)?.prefer ?? []).map((item, place) =>
    place === at ? { ...item, ...part } : item,
  );
  const group =
    part.of === undefined ? undefined : partsOf(part.of, measureChoices(study, suggestions)).choice?.group;
  const next = withAsk(study, { prefer });
  return group === undefined ? next : measuring(next, group, suggestions);
}

export const removePreference = (study: StudyDocument, at: number): StudyDocument =>
  withAsk(study, { prefer: (searchOf(study)?.prefer ?? []).filter((_, place) => place !== at) });

/** Of two things that are preferred the trade-off is told; of more it could not be drawn. */
export const MOST_PREFERENCES = 2;

export function addPreference(
  study: StudyDocument,
  suggestions: Suggestions,
  classes: readonly string[],
): StudyDocument {
  const prefer = searchOf(study)?.prefer ?? [];
  const all = preferables(study, suggestions, classes);
  const free = all.find(({ of }) => prefer.every((item) => item.of !== of));
  if (!free || prefer.length >= MOST_PREFERENCES) return study;
  const unit = measureChoices(study, suggestions).find(({ group }) => group === free.of)?.unit ?? null;
  const added: StudyPreference = { of: free.of, wanted: isRate(unit) ? "max" : "min" };
  return setPreference(
    withAsk(study, { prefer: [...prefer, added] }),
    prefer.length,
    { of: free.of },
    suggestions,
  );
}

/** Targets and wishes for a search to begin with: a first measure as good as it is now, with what varies as small as possible. */
export function firstWishes(
  study: StudyDocument,
  suggestions: Suggestions,
  classes: readonly string[],
  now: Now,
): Pick<SearchAsk, "targets" | "prefer"> {
  const titles = titlesOf(measureChoices(study, suggestions), classes);
  const known = titles.find(({ unit, title }) => !isRate(unit) && now(title) !== null);
  const first = known ?? titles.find(({ unit }) => !isRate(unit)) ?? titles[0];
  const factor = factorsOf(study)[0] ?? suggestions.fields[0];
  const of = factor?.path ?? factor?.title ?? first?.title;
  return {
    targets: first ? [firstTarget(first.title, first.unit, now)] : [],
    prefer: of ? [{ of, wanted: "min" }] : [],
  };
}
