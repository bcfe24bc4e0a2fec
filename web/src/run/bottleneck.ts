import { deviceColumn, deviceTitle } from "./devices.ts";
import { utilisation } from "./links.ts";
import { column, presentSamples, samplesUntilNow } from "./read.ts";
import { lowerBound } from "./search.ts";
import type { RunView } from "./types.ts";

/** From this utilisation on a link holds up what goes over it. */
const SATURATED = 0.9;

/** Samples from one up to and without another. */
type Stretch = readonly [from: number, to: number];

/** The samples that present figures are of. */
function present(run: RunView): Stretch {
  const end = samplesUntilNow(run);
  return [Math.max(0, end - presentSamples(run)), end];
}

/** Whether anything goes over the network; where initiators and targets share their hosts, nothing does. */
export const hasNetwork = ({ layout }: RunView): boolean =>
  layout.graph.flows.length > 0 || layout.devices.length === 0;

/** Share of its rate that the link carried that most of the traffic shares; as long as present figures are of. */
export const bottleneckUtilisation = (run: RunView): number => utilisationOver(run, present(run));

function utilisationOver(run: RunView, [from, to]: Stretch): number {
  const values = column(run, "utilisation")?.subarray(from, to).filter(Number.isFinite);
  if (!values || values.length === 0) return utilisation(run, run.layout.graph.bottleneck);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Whether the link that most of the traffic shares holds requests back. */
export const isLinkSaturated = (run: RunView): boolean => bottleneckUtilisation(run) >= SATURATED;

/** Commands that wait for a device, by level of their queue. */
const WAITING = ["waitingUrgent", "waitingHigh", "waitingMedium", "waitingLow"];

/**
 * Whether more commands waited for a device than were in it, on average over as long as present figures are: it is then what holds
 * requests back.
 */
export const isBacklogged = (run: RunView, device: number): boolean =>
  isBackloggedOver(run, device, present(run));

function isBackloggedOver(run: RunView, device: number, [from, to]: Stretch): boolean {
  const sum = (name: string) =>
    deviceColumn(run, name, device)
      ?.subarray(from, to)
      .reduce((total, commands) => total + commands, 0) ?? 0;
  return WAITING.reduce((total, name) => total + sum(name), 0) > sum("inDevice");
}

function limitingDeviceOver(run: RunView, stretch: Stretch): number | null {
  if (run.layout.devices.length === 0 || utilisationOver(run, stretch) >= SATURATED) return null;
  const device = run.layout.devices.findIndex((_, index) => isBackloggedOver(run, index, stretch));
  return device < 0 ? null : device;
}

/** The first device that holds requests back while the network would carry more; null where the network has that part. */
export const limitingDevice = (run: RunView): number | null => limitingDeviceOver(run, present(run));

/** What was found of a run when it had so many samples. */
const found = new WeakMap<RunView, { readonly n: number; readonly device: number | null }>();

/** How far a run goes on before it is looked at anew, as a share of what it has. */
const LOOKED_AT_ANEW = 0.05;

/**
 * As {@link limitingDevice}, of the later half of all that has run since the warm-up: what charts of a whole run go by, which are
 * not to change with every burst.
 */
export function prevailingDevice(run: RunView): number | null {
  const end = samplesUntilNow(run);
  const known = found.get(run);
  if (known && end >= known.n && end <= known.n * (1 + LOOKED_AT_ANEW)) return known.device;
  const warm = lowerBound(run.timeUs, end, run.layout.warmupUs);
  const from = end - Math.ceil((end - (warm < end ? warm : 0)) / 2);
  const device = limitingDeviceOver(run, [from, end]);
  found.set(run, { n: end, device });
  return device;
}

/**
 * Why no class of a run has a target in Gb/s, and so no quality factor: the rates of the network are out of reach, and what a class
 * should have is a share of what is carried. Null where the network decides what classes get.
 */
export function outOfReach(run: RunView): string | null {
  if (!hasNetwork(run)) return "nothing goes over the network";
  const device = prevailingDevice(run);
  return device === null ? null : `${deviceTitle(run, device)} is the bottleneck`;
}
