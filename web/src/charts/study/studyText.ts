import type { StudyFactor, StudyValue } from "../../generated/answers.d.ts";
import {
  decimalsFor,
  fixed,
  formatDuration,
  formatGbps,
  formatLatencyUnit,
  significant,
} from "../drawing/format.ts";

/** A number of a table or an axis without its unit: whole, or to four digits. */
export const plainNumber = (value: number): string => significant(value, 4);

/** A measured number with its unit. */
export function numberText(unit: string | null, value: number): string {
  if (unit === "us") {
    return Math.abs(value) < 100 ? `${fixed(Number(value.toPrecision(3)), 1)} µs` : formatLatencyUnit(value);
  }
  if (unit === "Gb/s") return `${formatGbps(value)} Gb/s`;
  return [plainNumber(value), unit].filter(Boolean).join(" ");
}

/** A mean with the interval that it lies in, to as many digits as that is wide: "281 µs (277 to 285)". */
export function meanText(unit: string | null, mean: number, low: number | null, high: number | null): string {
  const half = low !== null && high !== null ? (high - low) / 2 : 0;
  if (low === null || high === null || !(half > 0)) return numberText(unit, mean);
  const isLong = unit === "us" && Math.abs(mean) >= 10_000;
  const [factor, shown] = isLong ? [1000, "ms"] : [1, unitText(unit)];
  const decimals = Math.min(6, decimalsFor(half / factor, 1));
  const said = (value: number) => fixed(value / factor, decimals);
  return `${[said(mean), shown].filter(Boolean).join(" ")} (${said(low)} to ${said(high)})`;
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
