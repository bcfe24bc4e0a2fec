import type { Field } from "./schema.ts";
import type { Diagnostic } from "./types.ts";
import { formatField, shownUnit } from "./units.ts";

/** A sentence saying what is wrong with a number for a field, or null if nothing is. */
export function diagnosticOf(field: Field, value: number): string | null {
  const name = spokenName(field);
  if (field.minimum !== undefined && value < field.minimum) {
    return `${name} must be at least ${limitText(field, field.minimum)}.`;
  }
  if (field.maximum !== undefined && value > field.maximum) {
    return `${name} must be at most ${limitText(field, field.maximum)}.`;
  }
  if (field.type === "integer" && !Number.isInteger(value)) return `${name} is a whole number.`;
  return null;
}

function limitText(field: Field, limit: number): string {
  const { unit, factor } = shownUnit(field.unit, limit);
  const shown = limit / factor;
  return `${formatField(shown)}${plural(unit && ` ${unitName(unit)}`, shown)}`;
}

/** Symbols that are as well known as the words. */
const SPOKEN = ["K", "RTT"];

/** What a sentence calls a field. */
export const spokenName = ({ symbol, title }: Field): string =>
  symbol !== undefined && SPOKEN.includes(symbol) ? symbol : title;

/** A unit as it is shown. */
export const unitName = (unit: string): string => (unit === "us" ? "µs" : unit);

const plural = (unit: string, count: number): string =>
  count === 1 && unit.endsWith("s") && unit.length > 3 ? unit.slice(0, -1) : unit;

/** What the engine has against a field, as two sentences that begin with its name. */
export const diagnosticSentence = (name: string, diagnostic: Diagnostic): string =>
  `${name} ${diagnosticText(diagnostic)}`;

/** What is wrong and what to do about it, with units as the screen shows them: the engine writes what any terminal can. */
export const diagnosticText = ({ reason, hint }: Diagnostic): string =>
  `${reason}. ${hint}`.replace(/(\d) us\b/g, "$1 µs");
