import { formatLocale, precisionFixed } from "d3-format";

/** Numbers as the page writes them (section "Numbers" of docs/design: exact, tabular, never a false zero). */

const MINUS = "\u2212";
/** Narrow no-break space: groups thousands and stands before a percent sign. */
export const THIN = "\u202f";
/** Stands where a number does not apply. */
export const NOT_APPLICABLE = "\u2013";

const LOCALE = formatLocale({
  decimal: ".",
  thousands: THIN,
  grouping: [3],
  currency: ["", ""],
  minus: MINUS,
});

const formats = new Map<string, (value: number) => string>();

/** Writes a number by a specifier of d3-format. */
function formatted(specifier: string, value: number): string {
  let format = formats.get(specifier);
  if (!format) {
    format = LOCALE.format(specifier);
    formats.set(specifier, format);
  }
  return format(value);
}

/** Fixed decimals with a true minus, thousands grouped from five digits on; en dash for NaN and infinities. */
export function fixed(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return NOT_APPLICABLE;
  const hasFiveDigits = Math.abs(value) >= 10_000 - 0.5 * 10 ** -decimals;
  return formatted(`${hasFiveDigits ? "," : ""}.${decimals}f`, value);
}

/** Decimals of a number with so many digits before and after the point, as far as it has any. */
export const decimalsFor = (value: number, digits: number): number =>
  precisionFixed(value / 10 ** (digits - 1) || 1);

/** So many significant digits, without zeros at the end. */
export function significant(value: number, digits: number): string {
  if (!Number.isFinite(value)) return NOT_APPLICABLE;
  return formatted(`${Math.abs(value) >= 10_000 ? "," : ""}.${digits}~r`, value);
}

/** Short form of a count: 1000, then 10k, 400k, 1.5M. */
export const formatCompact = (count: number): string => formatted(count < 10_000 ? ".4~r" : ".4~s", count);

/** Throughput in Gb/s: one decimal; whole from 1000 on, where that is more than enough, and in Mb/s's digits where one says nothing. */
export const formatGbps = (gbps: number): string =>
  fixed(gbps, gbps >= 1000 ? 0 : gbps >= 0.0005 && gbps < 0.095 ? 3 : 1);

/** Quality factor: two decimals; beyond 99 a class is starved, and by how much says nothing more. */
export const formatQuality = (quality: number): string =>
  quality > 99 ? "> 99" : fixed(quality, quality < 10 ? 2 : 1);

/** Queue in packets: whole. */
/** A count with its noun: "1 packet", "12 packets". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  const text = fixed(count, 0);
  return `${text} ${text === "1" ? one : many}`;
}

export const formatPackets = (packets: number): string => fixed(packets, 0);

/** Latency in us: whole below 10 000 us. Above that the number is in ms with two decimals and says so. */
export function formatLatency(us: number): string {
  if (!Number.isFinite(us)) return NOT_APPLICABLE;
  return us < 10_000 ? fixed(us, 0) : `${fixed(us / 1000, 2)}${THIN}ms`;
}

/** Latency with its unit in all cases. */
export function formatLatencyUnit(us: number): string {
  if (!Number.isFinite(us)) return NOT_APPLICABLE;
  return us < 10_000 ? `${fixed(us, 0)} µs` : `${fixed(us / 1000, 2)} ms`;
}

/** A length of time that somebody set: in the unit that needs the fewest digits. */
export function formatDuration(us: number, digits = 4): string {
  if (!Number.isFinite(us)) return NOT_APPLICABLE;
  const [value, unit] = us < 1000 ? [us, "µs"] : us < 1e6 ? [us / 1000, "ms"] : [us / 1e6, "s"];
  return `${significant(value, digits)} ${unit}`;
}

/** Instant in ms: three decimals, or as many as asked for. */
export const formatMilliseconds = (us: number, decimals = 3): string => fixed(us / 1000, decimals);

/** Share 0..1 as a percentage; one decimal below 10 and above 90, where it matters. */
export function formatPercent(share: number): string {
  if (!Number.isFinite(share)) return NOT_APPLICABLE;
  const percent = share * 100;
  return `${fixed(percent, percent < 10 || percent > 90 ? 1 : 0)}${THIN}%`;
}

/** Share 0..1 of a tick as a percentage. */
export const percentTick = (share: number, step: number): string =>
  `${formatTick(100 * share, 100 * step)}${THIN}%`;

/** Number of a tick: as many decimals as a step of 1, 2 or 5 times a power of ten needs. */
export const formatTick = (value: number, step: number): string => fixed(value, precisionFixed(step || 1));
