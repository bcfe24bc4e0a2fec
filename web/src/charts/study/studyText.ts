import type { StudyFactor, StudyValue } from "../../run/study.ts";
import { fixed, formatDuration, formatGbps, formatLatencyUnit } from "../drawing/format.ts";

/** A number of a table or an axis without its unit: whole, or to four digits. */
export const plainNumber = (value: number): string => {
  const rounded = Number(value.toPrecision(4));
  return fixed(rounded, (String(rounded).split(".")[1] ?? "").length);
};

/** A measured number with its unit. */
export function numberText(unit: string | null, value: number): string {
  if (unit === "us") {
    return Math.abs(value) < 100 ? `${fixed(Number(value.toPrecision(3)), 1)} µs` : formatLatencyUnit(value);
  }
  if (unit === "Gb/s") return `${formatGbps(value)} Gb/s`;
  return [plainNumber(value), unit].filter(Boolean).join(" ");
}

/** A value of something that varies, as the screen has it: with its unit, words by their names. */
export function valueText({ unit, names }: Pick<StudyFactor, "unit" | "names">, value: StudyValue): string {
  const name = names[String(value)];
  if (name !== undefined) return name;
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "string") return value;
  if (unit === "us") return formatDuration(value);
  return [plainNumber(value), value === 1 && unit ? unit.replace(/s$/, "") : unit].filter(Boolean).join(" ");
}

/** A sentence of the engine, which writes what any terminal can, with units as the screen shows them. */
export const saidText = (sentence: string): string => sentence.replace(/(\d) us\b/g, "$1 µs");

/** A unit as it is shown. */
export const unitText = (unit: string | null): string => (unit === "us" ? "µs" : (unit ?? ""));

/** Title and symbol of something that varies, the symbol before the name of whom it is of: "Ratio r, High". */
export function factorName({ title, symbol }: Pick<StudyFactor, "title" | "symbol">): string {
  const [what, ...whose] = title.split(", ");
  return [symbol ? `${what} ${symbol.replace("_", "")}` : what, ...whose].join(", ");
}

/** Symbols that are as well known as the words. */
const SPOKEN = ["K", "RTT"];

/** What a sentence, or an axis, calls something that varies. */
export const spokenFactor = ({ title, symbol }: Pick<StudyFactor, "title" | "symbol">): string =>
  symbol && SPOKEN.includes(symbol) && !title.includes(", ") ? symbol : factorName({ title, symbol });

/** The same within a sentence. */
export function namedWithin(factor: Pick<StudyFactor, "title" | "symbol">): string {
  const name = spokenFactor(factor);
  return /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;
}
