import {
  fixed,
  formatDuration,
  formatGbps,
  formatLatencyUnit,
  formatPackets,
  formatPercent,
  formatQuality,
} from "../charts/format.ts";
import type { Claim, ClaimMetric } from "../run/claims.ts";

/** How the figure of a claim is called and written. */
interface Words {
  /** Without a class; with one its name stands before it. */
  readonly name: string;
  readonly format: (value: number) => string;
}

const count = (value: number) => fixed(value, value > 0 && value < 10 ? 1 : 0);

const WORDS: Readonly<Record<ClaimMetric, Words>> = {
  distance: { name: "distance of Q from 1", format: formatQuality },
  convergedUs: { name: "convergence time", format: (us) => formatDuration(us, 3) },
  share: { name: "throughput share", format: formatPercent },
  carriedGbps: { name: "throughput", format: (gbps) => `${formatGbps(gbps)} Gb/s` },
  p50Us: { name: "median latency", format: formatLatencyUnit },
  p99Us: { name: "p99 latency", format: formatLatencyUnit },
  p999Us: { name: "p99.9 latency", format: formatLatencyUnit },
  missed: { name: "deadlines missed", format: formatPercent },
  retransmitted: { name: "packets retransmitted", format: formatPercent },
  utilisation: { name: "bottleneck link utilisation", format: formatPercent },
  queuePackets: { name: "bottleneck queue", format: (packets) => `${formatPackets(packets)} packets` },
  pausedLinks: { name: "paused links", format: count },
  deadlockedLinks: { name: "deadlocked links", format: count },
  waitingCommands: { name: "commands waiting for devices", format: count },
};

/** A figure of a claim as it is written: "47.2 %". */
export const figureText = (metric: ClaimMetric, value: number): string => WORDS[metric].format(value);

/** A claim and where its figure stands: "High: p99 latency at most 500 µs (now 383 µs)". */
export function claimText({ metric, class: name, min, max, value }: Claim): string {
  const words = WORDS[metric];
  const subject = name ? `${name}: ${words.name}` : `${words.name[0]?.toUpperCase()}${words.name.slice(1)}`;
  const now = Number.isFinite(value) ? `now ${words.format(value)}` : "nothing to tell from yet";
  return `${subject}${bounds(words, min ?? null, max ?? null)} (${now})`;
}

function bounds({ format }: Words, min: number | null, max: number | null): string {
  if (min === null && max === null) return "";
  if (min === null) return max === 0 ? " none" : ` at most ${format(max as number)}`;
  if (max === null) return ` at least ${format(min)}`;
  return ` ${min === max ? format(min) : `${format(min)} to ${format(max)}`}`;
}
