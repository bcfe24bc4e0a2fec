import { deviceColumn } from "./devices.ts";
import { utilisation } from "./links.ts";
import { presentSamples, samplesUntilNow } from "./read.ts";
import type { RunView } from "./types.ts";

/** From this utilisation on a link holds up what goes over it. */
const SATURATED = 0.9;

/** Whether the link that most of the traffic shares holds requests back. */
export const isLinkSaturated = (run: RunView): boolean =>
  utilisation(run, run.layout.graph.bottleneck) >= SATURATED;

/** Commands that wait for a device, by level of their queue. */
const WAITING = ["waitingUrgent", "waitingHigh", "waitingMedium", "waitingLow"];

/**
 * Whether more commands waited for a device than were in it, on average over as long as present figures are: it is then what holds
 * requests back.
 */
export function isBacklogged(run: RunView, device: number): boolean {
  const end = samplesUntilNow(run);
  const start = Math.max(0, end - presentSamples(run));
  const sum = (name: string) =>
    deviceColumn(run, name, device)
      ?.subarray(start, end)
      .reduce((total, commands) => total + commands, 0) ?? 0;
  return WAITING.reduce((total, name) => total + sum(name), 0) > sum("inDevice");
}

/** The first device that holds requests back while the network would carry more; null where the network has that part. */
export function limitingDevice(run: RunView): number | null {
  if (isLinkSaturated(run)) return null;
  const device = run.layout.devices.findIndex((_, index) => isBacklogged(run, index));
  return device < 0 ? null : device;
}
