import { type PacketScale, packetsToUs } from "./units.ts";

/** A band of ECN thresholds, in packets. */
export interface Band {
  readonly low: number;
  readonly high: number;
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
