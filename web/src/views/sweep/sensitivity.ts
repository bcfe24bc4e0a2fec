import type { Effect, Ranking, Role, StudyTable } from "../../run/study.ts";
import type { FieldSuggestion, StudyDocument, StudyRange, Suggestions } from "../../scenario/study.ts";
import { factorOf, factorsOf, setRange, suggestionOf } from "./studyEdit.ts";

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

/** A field of a sensitivity, whether it varies, and over what. */
export interface ScreenedField {
  readonly field: FieldSuggestion;
  /** Its place among what varies; null where it stays as it is. */
  readonly at: number | null;
  /** Null of words. */
  readonly range: StudyRange | null;
  /** Its place in the table; null before there is one. */
  readonly factor: number | null;
}

/** All fields that have an effect, each with what the study makes of it: without any of its own all vary. */
export function screenedFields(
  study: StudyDocument,
  suggestions: Suggestions,
  table: StudyTable | null,
): readonly ScreenedField[] {
  const own = factorsOf(study);
  return suggestions.fields.map((field, place) => {
    const at = own.length === 0 ? place : own.findIndex(({ path }) => path === field.path);
    const factor = table?.factors.findIndex(({ paths }) => paths.includes(field.path)) ?? -1;
    return {
      field,
      at: at < 0 ? null : at,
      range: own[at]?.range ?? field.range,
      factor: factor < 0 ? null : factor,
    };
  });
}

/** The study with its fields written out, so that one of them can be changed. */
function writtenOut(study: StudyDocument, { fields }: Suggestions): StudyDocument {
  return factorsOf(study).length > 0 ? study : { ...study, vary: fields.map(factorOf) };
}

/** A field varies over another range. */
export function setFieldRange(
  study: StudyDocument,
  suggestions: Suggestions,
  path: string,
  part: Partial<StudyRange>,
): StudyDocument {
  const next = writtenOut(study, suggestions);
  return setRange(
    next,
    factorsOf(next).findIndex((factor) => factor.path === path),
    part,
  );
}

/** A field varies, or stays as it is. All of them again are none written out. */
export function setFieldVaries(
  study: StudyDocument,
  suggestions: Suggestions,
  path: string,
  varies: boolean,
): StudyDocument {
  const own = factorsOf(writtenOut(study, suggestions));
  const field = suggestionOf({ path }, suggestions);
  const next = varies
    ? [...own, ...(field ? [factorOf(field)] : [])]
    : own.filter((factor) => factor.path !== path);
  const isAll = JSON.stringify(sorted(next)) === JSON.stringify(sorted(suggestions.fields.map(factorOf)));
  // What is not in the list of all would vary again without anything left in it.
  return next.length === 0 ? study : { ...study, vary: isAll ? [] : next };
}

const sorted = (factors: ReturnType<typeof factorsOf>) =>
  factors.toSorted((a, b) => String(a.path).localeCompare(String(b.path)));
