import type { ModelOverlay as ModelAnswer } from "../../generated/answers.d.ts";
import type { Engine } from "../../generated/wasm/qoscope_wasm.js";
import type { Deadlock, Detours, ModelOverlay, Present, Reading, RunLayout } from "../../run/types.ts";

const PS_PER_US = 1e6;
/** Least simulated time over which the load of a link is measured, unless all is read. */
const LOAD_WINDOW_US = 25;

/** How much of a run is read: what is cheap, or that and what takes a while to put together. */
export type Extent = "usual" | "all";

/** Reads a run for those who show it, every sample once. */
export class Reader {
  private rowsRead = 0;
  private loadsReadUs: number;

  constructor(
    private readonly engine: Engine,
    private readonly layout: RunLayout,
  ) {
    this.loadsReadUs = this.nowUs;
  }

  read(extent: Extent): Reading & Pick<Present, "nowUs"> {
    const { engine, layout, nowUs } = this;
    const rows = engine.samples(this.rowsRead);
    const reading = {
      nowUs,
      rows,
      flowRows: engine.flowSamples(this.rowsRead),
      ...(this.hasDevices && { deviceRows: engine.deviceSamples(this.rowsRead) }),
      figures: engine.figures(),
      bottleneck: JSON.parse(engine.bottleneck()),
      deadlock: deadlockOf(engine),
      ...this.loads(extent),
      ...(extent === "all" && this.tails()),
    };
    this.rowsRead += rows.length / layout.sampleColumns.length;
    return reading;
  }

  private get nowUs(): number {
    return this.engine.nowPs() / PS_PER_US;
  }

  private get hasDevices(): boolean {
    return this.layout.devices.length > 0;
  }

  /** What links carried and devices did since that was read last; nothing while too little has passed to tell. */
  private loads(extent: Extent): Reading {
    const passedUs = this.nowUs - this.loadsReadUs;
    if (passedUs <= 0 || (passedUs < LOAD_WINDOW_US && extent !== "all")) return {};
    this.loadsReadUs = this.nowUs;
    return { links: this.engine.links(), ...(this.hasDevices && { devices: this.engine.devices() }) };
  }

  /** Distributions of latency, where it arose, and convergence. */
  private tails(): Reading {
    const { engine, layout } = this;
    const ofClasses = (read: (index: number) => Float64Array) => layout.classes.map((_, i) => read(i));
    return {
      latency: ofClasses((i) => engine.latency(i)),
      ...(this.hasDevices && { deviceLatency: ofClasses((i) => engine.deviceLatency(i)) }),
      stages: engine.stages(),
      convergence: JSON.parse(engine.convergence()),
    };
  }
}

/** Where connections go while cables are down. */
export const detoursOf = (engine: Engine): Detours => JSON.parse(engine.detours()) as Detours;

function deadlockOf(engine: Engine): Deadlock | null {
  const [seenUs, ...links] = engine.deadlock();
  return seenUs === undefined ? null : { seenUs, links };
}

/** The memory of the numbers in a reading, to be handed over instead of copied. */
export const memoryOf = (reading: Reading): Transferable[] =>
  Object.values(reading)
    .flat()
    .flatMap((part) => (ArrayBuffer.isView(part) ? [part.buffer as ArrayBuffer] : []));

/** What the model answered, with NaN for a class that takes no part; null if it has nothing to say. */
export function modelOf(json: string): ModelOverlay | null {
  const answer = JSON.parse(json) as ModelAnswer | null;
  const numbers = (values: readonly (number | null)[]) => values.map((value) => value ?? Number.NaN);
  return (
    answer && {
      ...answer,
      classes: answer.classes.map((curves) => ({
        ...curves,
        throughputGbps: numbers(curves.throughputGbps),
        qualityFactor: numbers(curves.qualityFactor),
      })),
    }
  );
}
