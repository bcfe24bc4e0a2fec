import { outOfReach } from "./bottleneck.ts";
import { deviceReading, deviceTitle } from "./devices.ts";
import { figure } from "./read.ts";
import type { RunView } from "./types.ts";

/** Since when every class that has a target is within its band; null while one is outside, and where the network decides nothing. */
export function allConvergedUs(run: RunView): number | null {
  if (outOfReach(run) !== null) return null;
  const steered = run.classes.flatMap((_, i) =>
    Number.isFinite(figure(run, i, "qualityFactor")) ? [i] : [],
  );
  const instants = steered.map((i) => figure(run, i, "convergedAtUs"));
  return instants.length > 0 && instants.every(Number.isFinite) ? Math.max(...instants) : null;
}

/** What came about in a run by itself, at an instant. */
export interface Milestone {
  readonly timeUs: number;
  readonly label: string;
}

/** When a run changed its course by itself so far: all classes converged, a write cache was full, garbage collection began. */
export function milestonesOf(run: RunView): readonly Milestone[] {
  const convergedUs = allConvergedUs(run);
  const converged = convergedUs === null ? [] : [{ timeUs: convergedUs, label: "all classes in band" }];
  return [...converged, ...run.layout.devices.flatMap((_, device) => ofDevice(run, device))]
    .filter(({ timeUs }) => timeUs <= run.nowUs)
    .sort((one, other) => one.timeUs - other.timeUs);
}

function ofDevice(run: RunView, device: number): Milestone[] {
  const reading = deviceReading(run, device);
  if (!reading) return [];
  const title = deviceTitle(run, device);
  const events = [
    { timeUs: reading.cacheFullUs, label: `write cache of ${title} full` },
    { timeUs: reading.collectsUs, label: `garbage collection of ${title} begins` },
  ];
  return events.filter(({ timeUs }) => Number.isFinite(timeUs));
}
