/** Numbers as the page writes them (section "Numbers" of docs/design: exact, tabular, never a false zero). */

const MINUS = "\u2212";
/** Narrow no-break space: groups thousands and stands before a percent sign. */
export const THIN = "\u202f";
/** Stands where a number does not apply. */
export const NOT_APPLICABLE = "\u2013";

/** Fixed decimals with a true minus, thousands grouped from five digits on; en dash for NaN and infinities. */
export function fixed(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return NOT_APPLICABLE;
  const text = Math.abs(value).toFixed(decimals);
  const [whole = "", fraction] = text.split(".");
  const grouped = whole.length < 5 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, THIN);
  const sign = value < 0 && Number(text) !== 0 ? MINUS : "";
  return sign + grouped + (fraction === undefined ? "" : `.${fraction}`);
}

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
  return `${Number(value.toPrecision(digits))} ${unit}`;
}

/** Instant in ms: three decimals, or as many as asked for. */
export const formatMilliseconds = (us: number, decimals = 3): string => fixed(us / 1000, decimals);

/** Share 0..1 as a percentage; one decimal below 10 and above 90, where it matters. */
export function formatPercent(share: number): string {
  if (!Number.isFinite(share)) return NOT_APPLICABLE;
  const percent = share * 100;
  return `${fixed(percent, percent < 10 || percent > 90 ? 1 : 0)}${THIN}%`;
}

/** Plain number for a tick: as many decimals as the step between ticks needs, 2.5 as well as 0.25. */
export function formatTick(value: number, step: number): string {
  let decimals = 0;
  const isWhole = (number: number) => Math.abs(number - Math.round(number)) < 1e-6 * Math.abs(number);
  while (decimals < 9 && !isWhole(step * 10 ** decimals)) decimals++;
  return fixed(value, decimals);
}
