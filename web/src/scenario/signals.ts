import { anyClass, followsMarks, hasAlpha, isRateBased } from "./transports.ts";
import type { Scenario } from "./types.ts";

/** Why nothing could be drawn of a quantity over time, by the name of the quantity; null where something can. */
export function signalReason(document: Scenario, quantity: string): string | null {
  const marks = (document.switch?.marking ?? "step") !== "off";
  const pauses = (document.switch?.buffering ?? "per-port") === "pfc";
  switch (quantity) {
    case "alpha":
      return anyClass(document, hasAlpha) ? null : "TIMELY follows the round trip and keeps no average";
    case "window":
      return anyClass(document, (transport) => !isRateBased(transport))
        ? null
        : "every class is paced at a rate, none has a window";
    case "notifications":
      if (!anyClass(document, followsMarks)) return "TIMELY follows the round trip, not marks";
      return marks ? null : "marking is off";
    case "pauseFrames":
    case "pausedLinks":
      return pauses ? null : "switches send no pause frames: see Buffering";
    default:
      return null;
  }
}
