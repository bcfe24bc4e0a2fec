import type { Field } from "./schema.ts";
import type { Fault } from "./types.ts";
import { formatField } from "./units.ts";

/** A sentence saying what is wrong with a number for a field, or null if nothing is. */
export function faultOf(field: Field, value: number): string | null {
  const name = spokenName(field);
  const unit = field.unit ? ` ${unitName(field.unit)}` : "";
  if (field.minimum !== undefined && value < field.minimum) {
    return `${name} must be at least ${formatField(field.minimum)}${plural(unit, field.minimum)}.`;
  }
  if (field.maximum !== undefined && value > field.maximum) {
    return `${name} must be at most ${formatField(field.maximum)}${plural(unit, field.maximum)}.`;
  }
  if (field.type === "integer" && !Number.isInteger(value)) return `${name} is a whole number.`;
  return null;
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
export const faultSentence = (name: string, fault: Fault): string => `${name} ${fault.reason}. ${fault.fix}`;
