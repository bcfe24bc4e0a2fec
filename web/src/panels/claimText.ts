import {
  fixed,
  formatCount,
  formatDuration,
  formatGbps,
  formatPercent,
  formatQuality,
} from "../charts/drawing/format.ts";
import type { Claim, ClaimMetric } from "../run/claims.ts";

/** How the figure of a claim is called and written. */
interface Words {
  /** Without a class; with one its name stands before it. */
  readonly name: string;
  /** Written in the unit in which `scale` is: that of the bounds. */
  readonly format: (value: number, scale: number) => string;
}

const count = (value: number) => fixed(value, value > 0 && value < 10 ? 1 : 0);

/** Three digits that count, in milliseconds where the scale has some. */
const latency = (us: number, scaleUs: number) =>
  scaleUs >= 1000
    ? `${Number((us / 1000).toPrecision(3))} ms`
    : `${Number(us.toPrecision(us < 100 ? 3 : 4))} µs`;

const WORDS: Readonly<Record<ClaimMetric, Words>> = {
  distance: { name: "distance of Q from 1", format: formatQuality },
  convergedUs: { name: "convergence time", format: (us) => formatDuration(us, 3) },
  share: { name: "throughput share", format: formatPercent },
  carriedGbps: { name: "throughput", format: (gbps) => `${formatGbps(gbps)} Gb/s` },
  p50Us: { name: "median latency", format: latency },
  p99Us: { name: "p99 latency", format: latency },
  p999Us: { name: "p99.9 latency", format: latency },
  missed: { name: "deadlines missed", format: formatPercent },
  retransmitted: { name: "packets retransmitted", format: formatPercent },
  utilisation: { name: "bottleneck link utilisation", format: formatPercent },
  queuePackets: { name: "bottleneck queue", format: (packets) => formatCount(packets, "packet") },
  pausedLinks: { name: "paused links", format: count },
  deadlockedLinks: { name: "deadlocked links", format: count },
  waitingCommands: { name: "commands waiting for devices", format: count },
};

/** A figure of a claim as it is written: "47.2 %". */
export const figureText = (metric: ClaimMetric, value: number): string =>
  WORDS[metric].format(value, Math.abs(value));

/** A claim and where its figure stands: "High: p99 latency at most 500 µs (now 383 µs)". */
export function claimText({ metric, class: name, min, max, value }: Claim): string {
  const words = WORDS[metric];
  const subject = name
    ? `${name}: ${words.name}`
    : words.name.replace(/^[a-z](?=[a-z])/, (first) => first.toUpperCase());
  const scale = Math.max(...[min, max].map((bound) => Math.abs(bound ?? 0)));
  const now = Number.isFinite(value) ? `now ${words.format(value, scale)}` : "nothing to tell from yet";
  return `${subject}${bounds((bound) => words.format(bound, scale), min ?? null, max ?? null)} (${now})`;
}

function bounds(format: (bound: number) => string, min: number | null, max: number | null): string {
  if (min === null && max === null) return "";
  if (min === null) return max === 0 ? " none" : ` at most ${format(max as number)}`;
  if (max === null) return ` at least ${format(min)}`;
  return ` ${min === max ? format(min) : `${format(min)} to ${format(max)}`}`;
}
