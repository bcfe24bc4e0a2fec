import type { Effect, Ranking, Role, StudyTable } from "../../generated/answers.d.ts";
import type { StudyDocument, StudyFactorDocument, StudyRange, Suggestions } from "../../scenario/study.ts";
import { factorOf, factorsOf, nameOf, setRange, suggestionOf } from "../../workbench/study/studyEdit.ts";

/** What a factor does, in words. */
export const ROLES: Readonly<Record<Role, string>> = {
  raises: "raises it",
  lowers: "lowers it",
  either: "either way",
  chance: "not told from chance",
  nothing: "nothing changed",
};

/** Whether a factor does something that is told from what another seed does. */
export const isTold = ({ role }: Pick<Effect, "role">): boolean => role !== "chance" && role !== "nothing";

/** Effects that are in sight at first: those that are told, but never none, and no more than there is room for. */
export function inSight(effects: readonly Effect[], room: number): readonly Effect[] {
  const told = effects.filter(isTold);
  return (told.length > 0 ? told : effects).slice(0, room);
}

/** The end of the axis of a ranking: all intervals and the mark of chance lie within. */
export const fullOf = ({ effects, chance }: Ranking): number =>
  Math.max(chance, ...effects.map(({ mean, high }) => high ?? mean ?? 0)) || 1;

/** What varies in a sensitivity, written out: what the engine takes where the study names nothing. */
export const screened = (
  study: StudyDocument,
  { sensitivity }: Pick<Suggestions, "sensitivity">,
): readonly StudyFactorDocument[] => (factorsOf(study).length > 0 ? factorsOf(study) : sensitivity.vary);

/** A row of the settings of a sensitivity: whether it varies, and over what. */
export interface ScreenedSetting {
  /** What it is called; where it is one field, that is known by its path. */
  readonly title: string;
  readonly symbol: string | null;
  readonly unit: string | null;
  readonly path: string | null;
  /** Its place among what varies; null where it stays as it is. */
  readonly at: number | null;
  /** Null where its values are told one by one. */
  readonly range: StudyRange | null;
  /** Its values in words, where it has no range. */
  readonly values: string;
}

/** All that varies, then what could vary beside it. */
export function screenedSettings(
  study: StudyDocument,
  suggestions: Suggestions,
  table: StudyTable | null,
): readonly ScreenedSetting[] {
  const varied = screened(study, suggestions);
  const row = (factor: StudyFactorDocument, at: number | null): ScreenedSetting => {
    const field = suggestionOf(factor, suggestions);
    const view = at === null ? undefined : table?.factors[at];
    const words = field?.options.map(({ title }) => title) ?? [];
    const values = (factor.values ?? factor.alternatives?.map(({ title }) => title) ?? []).map(String);
    return {
      title: view?.title ?? field?.title ?? nameOf(factor, suggestions),
      symbol: view?.symbol ?? field?.symbol ?? null,
      unit: view?.unit ?? field?.unit ?? null,
      path: factor.path ?? null,
      at,
      range: factor.range ?? null,
      values: (words.length > 0 ? words : values).join(", "),
    };
  };
  const others = suggestions.fields.filter(({ path }) => varied.every((factor) => factor.path !== path));
  return [...varied.map(row), ...others.map((field) => row(factorOf(field), null))];
}

/** What varies at a place takes another range. */
export const setScreenedRange = (
  study: StudyDocument,
  suggestions: Suggestions,
  at: number,
  part: Partial<StudyRange>,
): StudyDocument => setRange({ ...study, vary: screened(study, suggestions) }, at, part);

/** What varies at a place stays as it is from now on. The last one goes on varying: without any all would. */
export function holdSetting(study: StudyDocument, suggestions: Suggestions, at: number): StudyDocument {
  const left = screened(study, suggestions).filter((_, place) => place !== at);
  return left.length === 0 ? study : { ...study, vary: left };
}

/** Fields vary beside what does already, each over what is sensible for it. */
export function varyToo(
  study: StudyDocument,
  suggestions: Suggestions,
  paths: readonly string[],
): StudyDocument {
  const added = suggestions.fields.filter(({ path }) => paths.includes(path)).map(factorOf);
  return { ...study, vary: [...screened(study, suggestions), ...added] };
}
