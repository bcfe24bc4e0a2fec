import { formatDuration } from "../charts/drawing/format.ts";
import type { RunLayout } from "../run/types.ts";

/** How far a step may go: stretches of time, and the next event. */
export const STEP_UNITS = ["rtt", "1ms", "10ms", "sample", "event"] as const;

export type StepUnit = (typeof STEP_UNITS)[number];

/** What a step knows of a run. */
type Grain = Pick<RunLayout, "baseRttUs" | "samplePeriodUs">;

export const stepUs = (unit: Exclude<StepUnit, "event">, { baseRttUs, samplePeriodUs }: Grain): number =>
  ({ rtt: baseRttUs, "1ms": 1000, "10ms": 10_000, sample: samplePeriodUs })[unit];

/** As it stands after "Step" and in the menu; with what a sample is in time, where that is known. */
export function stepTitle(unit: StepUnit, grain?: Grain): string {
  if (unit === "rtt") return "1 RTT";
  if (unit === "1ms") return "1 ms";
  if (unit === "10ms") return "10 ms";
  if (unit === "event") return "1 event";
  return grain ? `1 sample, ${formatDuration(grain.samplePeriodUs)}` : "1 sample";
}
