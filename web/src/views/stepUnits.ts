import { formatDuration } from "../charts/format.ts";
import type { RunLayout } from "../run/types.ts";

/** Stretches of time that a step may have. Single events are none of them: the engine passes many at a time. */
export const STEP_UNITS = ["rtt", "1ms", "10ms", "sample"] as const;

export type StepUnit = (typeof STEP_UNITS)[number];

/** What a step knows of a run. */
type Grain = Pick<RunLayout, "baseRttUs" | "samplePeriodUs">;

export const stepUs = (unit: StepUnit, { baseRttUs, samplePeriodUs }: Grain): number =>
  ({ rtt: baseRttUs, "1ms": 1000, "10ms": 10_000, sample: samplePeriodUs })[unit];

/** As it stands after "Step" and in the menu; with what a sample is in time, where that is known. */
export function stepTitle(unit: StepUnit, grain?: Grain): string {
  if (unit === "rtt") return "1 RTT";
  if (unit === "1ms") return "1 ms";
  if (unit === "10ms") return "10 ms";
  return grain ? `1 sample, ${formatDuration(grain.samplePeriodUs)}` : "1 sample";
}
