import { valueAt } from "./schema.ts";
import type { Scenario } from "./types.ts";

/** Whether switches mark packets. */
export const marks = (scenario: Scenario): boolean => valueAt(scenario, "switch.marking") !== "off";

/** K in packets; undefined where nothing is marked. */
export const markingThreshold = (scenario: Scenario): number | undefined =>
  marks(scenario) ? Number(valueAt(scenario, "switch.ecnThresholdPackets")) : undefined;
