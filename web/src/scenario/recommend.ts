import { type PacketScale, packetsToUs } from "./units.ts";

/** A band of ECN thresholds, in packets. */
export interface Band {
  readonly low: number;
  readonly high: number;
}

/**
 * Recommended ECN threshold: C RTT / 7, which DCTCP needs for full throughput with synchronised senders (Alizadeh et
 * al., SIGCOMM 2010, eq. 13), to C RTT / 4.
 */
export function recommendedThreshold(baseRttUs: number, scale: PacketScale): Band {
  const pipe = baseRttUs / packetsToUs(1, scale);
  return { low: Math.max(1, Math.round(pipe / 7)), high: Math.max(2, Math.round(pipe / 4)) };
}

/** One sentence that compares K with the recommended band. */
export function thresholdSentence(threshold: number, band: Band, scale: PacketScale): string {
  const range = `${band.low}–${band.high} (shaded)`;
  if (threshold > band.high) {
    const waiting = packetsToUs(threshold, scale);
    return `Above the recommended ${range}: full throughput, up to ${waiting.toPrecision(3)} µs more waiting.`;
  }
  if (threshold < band.low) {
    return `Below the recommended ${range}: short queue, but the link may run empty after a cut.`;
  }
  return `Within the recommended ${range}: full throughput with a short queue.`;
}
