import { anyClass, followsMarks, hasAlpha, isRateBased } from "./transports.ts";
import type { Scenario } from "./types.ts";

/** Why nothing could be drawn of a quantity over time, by the name of the quantity; null where something can. */
export function signalReason(scenario: Scenario, quantity: string): string | null {
  const marks = (scenario.switch?.marking ?? "step") !== "off";
  const pauses = (scenario.switch?.buffering ?? "per-port") === "pfc";
  switch (quantity) {
    case "alpha":
      return anyClass(scenario, hasAlpha) ? null : "TIMELY follows the RTT and keeps no average of marks";
    case "window":
      return anyClass(scenario, (transport) => !isRateBased(transport))
        ? null
        : "every class is paced at a rate, none has a window";
    case "notifications":
      if (!anyClass(scenario, followsMarks)) return "TIMELY follows the RTT, not ECN marks";
      return marks ? null : "marking is off";
    case "pauseFrames":
    case "pausedLinks":
      return pauses ? null : "switches send no pause frames: see Buffering";
    default:
      return null;
  }
}
