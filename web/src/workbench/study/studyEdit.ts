import { factorName } from "../../charts/study/studyText.ts";
import type {
  FieldSuggestion,
  MeasureSuggestion,
  StudyAsk,
  StudyDocument,
  StudyFactorDocument,
  StudyKind,
  StudyMeasureDocument,
  StudyRange,
  Suggestions,
} from "../../scenario/study.ts";

/** What can be done to a study by hand: functions of the document. What of it cannot be so the engine says. */

/** Version of the format that the page writes. */
const VERSION = 1;

/** Most things that vary in a sweep: more cannot be drawn. */
const MOST_FACTORS = 3;

/** What varies in a study. */
export const factorsOf = ({ vary = [] }: StudyDocument): readonly StudyFactorDocument[] => vary;

/** The factor in which a suggested field varies over what is sensible for it. */
export function factorOf({ path, isWords, options, range }: FieldSuggestion): StudyFactorDocument {
  return isWords || range === null ? { path, values: options.map(({ value }) => value) } : { path, range };
}

/** The measure as a study has it. */
export const measureOf = ({ title, value, unit }: MeasureSuggestion): StudyMeasureDocument =>
  unit == null ? { title, value } : { title, value, unit };

/** What a first study varies: what the engine suggests, else what theory recommends a value for, else the first number. */
const firstFactor = ({ fields }: Suggestions): FieldSuggestion | undefined =>
  fields.find(({ suggested }) => suggested) ??
  fields.find(({ recommended, range }) => recommended !== null && range !== null) ??
  fields.find(({ range }) => range !== null) ??
  fields[0];

/** A study of a scenario to begin with; null where nothing of it can vary, or be measured. */
export function firstStudy(
  suggestions: Suggestions,
  factor: FieldSuggestion | undefined = firstFactor(suggestions),
): StudyDocument | null {
  const measures = firstMeasures(suggestions);
  if (!factor || measures.length === 0) return null;
  return titled(
    { version: VERSION, title: "", vary: [factorOf(factor)], measures, ask: { kind: "sweep" } },
    suggestions,
  );
}

/** The measures that a first study asks for. */
function firstMeasures({ measures }: Suggestions): readonly StudyMeasureDocument[] {
  const suggested = measures.filter((measure) => measure.suggested);
  return (suggested.length > 0 ? suggested : measures.slice(0, 1)).map(measureOf);
}

/** A change of a study, whose title follows as long as it is the one that the page gave it. */
function changed(
  study: StudyDocument,
  part: Partial<StudyDocument>,
  suggestions: Suggestions,
): StudyDocument {
  const isOwn = study.title !== titleOf(study, suggestions);
  const next = { ...study, ...part };
  return isOwn ? next : titled(next, suggestions);
}

const titled = (study: StudyDocument, suggestions: Suggestions): StudyDocument => ({
  ...study,
  title: titleOf(study, suggestions),
});

/** Letters of a title. */
const TITLE = 120;

/** What the page calls a study: what varies in it. */
function titleOf(study: StudyDocument, suggestions: Suggestions): string {
  const names = factorsOf(study).map((factor) => nameOf(factor, suggestions));
  const title = {
    sweep: `Sweep of ${names.join(", ")}`,
    sensitivity: names.length > 0 ? `What matters of ${names.join(", ")}` : "What matters",
    search: `Search over ${names.join(", ")}`,
  }[study.ask.kind];
  return title.length <= TITLE ? title : `${title.slice(0, TITLE - 1)}…`;
}

/** The field that a factor varies, as the engine suggests it; none for several at a time, and for what has no effect. */
export const suggestionOf = (
  { path }: StudyFactorDocument,
  { fields }: Suggestions,
): FieldSuggestion | undefined => fields.find((factor) => factor.path === path);

/** What a factor is called. */
export function nameOf(factor: StudyFactorDocument, suggestions: Suggestions): string {
  const found = suggestionOf(factor, suggestions);
  return (
    factor.title ??
    (found && factorName(found)) ??
    factor.path ??
    (factor.moves?.map(({ path }) => path) ?? factor.alternatives?.map(({ title }) => title) ?? []).join(", ")
  );
}

/** Whether another field may vary: not one that does, and of a sweep not more than can be drawn. */
export const hasRoom = (study: StudyDocument): boolean =>
  study.ask.kind !== "sweep" || factorsOf(study).length < MOST_FACTORS;

/** A field varies, too. One that does already stays as it is. */
export function addFactor(
  study: StudyDocument,
  added: FieldSuggestion,
  suggestions: Suggestions,
): StudyDocument {
  const vary = factorsOf(study);
  if (!hasRoom(study) || vary.some(({ path }) => path === added.path)) return study;
  return changed(study, { vary: [...vary, factorOf(added)], ...straight(study) }, suggestions);
}

/** A field varies, alone. */
export function varyAlone(
  study: StudyDocument,
  factor: FieldSuggestion,
  suggestions: Suggestions,
): StudyDocument {
  const kept = factorsOf(study).find(({ path }) => path === factor.path);
  return changed(study, { vary: [kept ?? factorOf(factor)] }, suggestions);
}

/** A sweep of one thing that varies in a study of any kind, over the same values. */
export const sweepOf = (
  study: StudyDocument,
  factor: StudyFactorDocument,
  suggestions: Suggestions,
): StudyDocument => titled({ ...withUsualSeeds(study), vary: [factor], ask: { kind: "sweep" } }, suggestions);

/** As many seeds as the engine takes where a study does not say it, in place of the few of a sensitivity. */
function withUsualSeeds(study: StudyDocument): StudyDocument {
  if (study.ask.kind !== "sensitivity") return study;
  const { seeds: { count: _, ...seeds } = {}, ...rest } = study;
  return Object.keys(seeds).length > 0 ? { ...rest, seeds } : rest;
}

/** Another field varies in the place of one. */
export function replaceFactor(
  study: StudyDocument,
  at: number,
  factor: FieldSuggestion,
  suggestions: Suggestions,
): StudyDocument {
  const vary = factorsOf(study).map((item, place) => (place === at ? factorOf(factor) : item));
  return changed(study, { vary }, suggestions);
}

/** A factor varies no more. */
export function removeFactor(study: StudyDocument, at: number, suggestions: Suggestions): StudyDocument {
  return changed(study, { vary: factorsOf(study).filter((_, place) => place !== at) }, suggestions);
}

/** A factor takes other values. */
function withFactor(
  study: StudyDocument,
  at: number,
  change: (factor: StudyFactorDocument) => StudyFactorDocument,
): StudyDocument {
  return {
    ...study,
    vary: factorsOf(study).map((factor, place) => (place === at ? change(factor) : factor)),
  };
}

/** Ends, number or spacing of the values of a factor change. */
export const setRange = (study: StudyDocument, at: number, part: Partial<StudyRange>): StudyDocument =>
  withFactor(study, at, (factor) =>
    factor.range ? { ...factor, range: { ...factor.range, ...part } } : factor,
  );

/** The values of a factor one by one. */
export const setValues = (study: StudyDocument, at: number, values: readonly unknown[]): StudyDocument =>
  withFactor(study, at, ({ range: _, ...factor }) => ({ ...factor, values }));

/** So many seeds of every point. */
export const setSeeds = (study: StudyDocument, count: number): StudyDocument => ({
  ...study,
  seeds: { ...study.seeds, count },
});

export const setMeasures = (
  study: StudyDocument,
  measures: readonly StudyMeasureDocument[],
): StudyDocument => ({ ...study, measures, ...askOf(study, measures) });

/** What is asked, without what it says of measures that are gone. */
function askOf(
  { ask }: StudyDocument,
  measures: readonly StudyMeasureDocument[],
): { readonly ask: StudyAsk } {
  const isMeasured = (title: string) =>
    measures.some((measure) => title === measure.title || title.startsWith(`${measure.title}, `));
  if (ask.kind === "search") {
    return {
      ask: { ...ask, targets: ask.targets.filter(({ measure }) => isMeasured(measure)) },
    };
  }
  if (ask.kind !== "sweep" || !ask.within?.measures) return { ask };
  return { ask: { ...ask, within: { ...ask.within, measures: ask.within.measures.filter(isMeasured) } } };
}

/** What is asked of a sweep changes. */
export function setSweep(
  study: StudyDocument,
  part: Partial<Extract<StudyAsk, { readonly kind: "sweep" }>>,
): StudyDocument {
  return study.ask.kind === "sweep" ? { ...study, ask: { ...study.ask, ...part } } : study;
}

/** What is asked of a screening changes. */
export function setScreening(
  study: StudyDocument,
  part: Partial<Extract<StudyAsk, { readonly kind: "sensitivity" }>>,
): StudyDocument {
  return study.ask.kind === "sensitivity" ? { ...study, ask: { ...study.ask, ...part } } : study;
}

/** Points are added where the curve of a single factor bends: with a second one there are none. */
const straight = ({ ask }: StudyDocument): { readonly ask: StudyAsk } => ({
  ask: ask.kind === "sweep" ? { ...ask, bends: 0 } : ask,
});

/**
 * The same asked in another way. Measures stay, and seeds but for a sensitivity, which takes few of many points. A sweep goes on with the
 * first fields that it can draw; of what matters all fields are asked; a search is free in what varied. A search has the targets and
 * wishes that are given.
 */
export function withKind(
  study: StudyDocument,
  kind: StudyKind,
  suggestions: Suggestions,
  search: Omit<Extract<StudyAsk, { readonly kind: "search" }>, "kind"> = { targets: [], prefer: [] },
): StudyDocument {
  if (study.ask.kind === kind) return study;
  const first = firstFactor(suggestions);
  const some = factorsOf(study).length > 0 ? factorsOf(study) : first ? [factorOf(first)] : [];
  const vary = { sweep: some.slice(0, MOST_FACTORS), sensitivity: [], search: some }[kind];
  const { seeds, walks } = suggestions.sensitivity;
  if (kind === "sensitivity") {
    return changed(
      study,
      { vary, ask: { kind, walks }, seeds: { ...study.seeds, count: seeds } },
      suggestions,
    );
  }
  const ask: StudyAsk = kind === "search" ? { kind, ...search } : { kind };
  return changed(withUsualSeeds(study), { vary, ask }, suggestions);
}

/** A study from a text of any origin, as far as the page must know its form; the engine judges the rest. Null where it is none. */
export function studyOf(text: string): StudyDocument | null {
  try {
    const study: unknown = JSON.parse(text);
    const isStudy =
      typeof study === "object" &&
      study !== null &&
      "ask" in study &&
      "measures" in study &&
      Array.isArray(study.measures) &&
      typeof study.ask === "object" &&
      study.ask !== null &&
      "kind" in study.ask &&
      ["sweep", "sensitivity", "search"].includes(String(study.ask.kind)) &&
      (!("vary" in study) || Array.isArray(study.vary));
    return isStudy ? (study as unknown as StudyDocument) : null;
  } catch {
    return null;
  }
}

/** The study as text for a link: without the scenario, which is that of the page. */
export const studyText = ({ scenario: _, ...study }: StudyDocument): string => JSON.stringify(study);
