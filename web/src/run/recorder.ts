import { type Bottleneck, NO_BOTTLENECK } from "./bottleneck.ts";
import { deviceColumnNames } from "./devices.ts";
import { identityIndices } from "./identity.ts";
import { LINK_NUMBERS } from "./links.ts";
import { lowerBound } from "./search.ts";
import type { Deadlock, Detours, GraphFlow, ModelOverlay, RunClass, RunLayout, RunView } from "./types.ts";

/** What a frame of the engine may bring; absent parts stay as they are. */
export interface RunUpdate {
  /** Whole sample rows, row-major, `layout.sampleColumns.length` numbers each. */
  readonly rows?: Float64Array;
  /** As many rows of the connections, `layout.flowColumns.length` numbers each. */
  readonly flowRows?: Float64Array;
  /** As many rows of the devices, `deviceColumnNames(layout).length` numbers each. */
  readonly deviceRows?: Float32Array;
  readonly figures?: Float64Array;
  readonly devices?: Float32Array;
  readonly stages?: Float32Array;
  readonly deviceLatency?: readonly Float64Array[];
  readonly links?: Float32Array;
  readonly bottleneck?: Bottleneck;
  readonly deadlock?: Deadlock | null;
  readonly latency?: readonly Float64Array[];
  readonly convergence?: RunView["convergence"];
  readonly model?: ModelOverlay | null;
  readonly nowUs?: number;
  readonly detours?: Detours;
  /** Of the scenario, which tells its readers something else now. */
  readonly hash?: string;
}

/** A `RunView` that its owner may feed. */
export interface RunRecorder extends RunView {
  update(change: RunUpdate): void;
  /** Forgets the samples after an instant: a run that was rewound writes them anew. */
  rewind(toUs: number): void;
}

type Numbers = Float64Array<ArrayBufferLike> | Float32Array<ArrayBufferLike>;

/** Columns that grow together, doubling. */
interface Table<A extends Numbers> {
  readonly columns: Record<string, A>;
  /** Writes whole rows, row-major, from row `at` on. Returns how many there were. */
  write(rows: A, at: number): number;
}

function createTable<A extends Numbers>(
  names: readonly string[],
  ArrayOf: new (length: number) => A,
): Table<A> {
  const columns: Record<string, A> = {};
  let capacity = 1024;
  for (const name of names) columns[name] = new ArrayOf(capacity);
  return {
    columns,
    write(rows, at) {
      const width = names.length;
      const count = width === 0 ? 0 : Math.floor(rows.length / width);
      if (at + count > capacity) {
        while (at + count > capacity) capacity *= 2;
        for (const name of names) {
          const grown = new ArrayOf(capacity);
          grown.set(columns[name] as A);
          columns[name] = grown;
        }
      }
      names.forEach((name, c) => {
        const column = columns[name] as A;
        for (let r = 0; r < count; r++) column[at + r] = rows[r * width + c] as number;
      });
      return count;
    },
  };
}

/** Empty columnar record of a run. */
export function createRunView(layout: RunLayout): RunRecorder {
  const kinds = identityIndices(layout.classes.map((item) => item.name));
  const classes: RunClass[] = layout.classes.map((item, i) => ({
    name: item.name,
    kindIndex: kinds[i] as number,
  }));
  const samples = createTable<Float64Array>(layout.sampleColumns, Float64Array);
  const flows = createTable<Float64Array>(layout.flowColumns, Float64Array);
  const devices = createTable<Float32Array>(deviceColumnNames(layout), Float32Array);
  const listeners = new Set<() => void>();

  const run = {
    version: 0,
    layout,
    classes,
    n: 0,
    timeUs: samples.columns.timeUs ?? new Float64Array(0),
    columns: samples.columns,
    flowColumns: flows.columns,
    deviceColumns: devices.columns,
    nowUs: 0,
    figures: new Float64Array(classes.length * layout.figureColumns.length).fill(Number.NaN) as Float64Array,
    links: new Float32Array(layout.graph.links.length * LINK_NUMBERS) as Float32Array,
    devices: new Float32Array(0) as Float32Array,
    stages: new Float32Array(0) as Float32Array,
    deviceLatency: classes.map(() => new Float64Array(0)) as readonly Float64Array[],
    flows: layout.graph.flows as readonly GraphFlow[],
    bottleneck: NO_BOTTLENECK,
    deadlock: null as Deadlock | null,
    latency: classes.map(() => new Float64Array(0)) as readonly Float64Array[],
    convergence: classes.map(() => []) as RunView["convergence"],
    model: null as ModelOverlay | null,

    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },

    update(change: RunUpdate) {
      if (change.rows) append(change.rows, change.flowRows, change.deviceRows);
      if (change.figures) run.figures = change.figures;
      if (change.links) run.links = change.links;
      if (change.devices) run.devices = change.devices;
      if (change.stages) run.stages = change.stages;
      if (change.deviceLatency) run.deviceLatency = change.deviceLatency;
      if (change.bottleneck) run.bottleneck = change.bottleneck;
      if (change.deadlock !== undefined) run.deadlock = change.deadlock;
      if (change.latency) run.latency = change.latency;
      if (change.convergence) run.convergence = change.convergence;
      if (change.model !== undefined) run.model = change.model;
      if (change.nowUs !== undefined) run.nowUs = change.nowUs;
      if (change.hash) run.layout = { ...run.layout, hash: change.hash };
      if (change.detours) run.flows = detoured(layout.graph.flows, change.detours);
      publish();
    },

    rewind(toUs: number) {
      run.n = lowerBound(run.timeUs, run.n, toUs + 1e-6);
      run.nowUs = Math.min(run.nowUs, toUs);
      publish();
    },
  };

  function publish() {
    run.version++;
    for (const listener of listeners) listener();
  }

  function append(
    rows: Float64Array,
    flowRows: Float64Array | undefined,
    deviceRows: Float32Array | undefined,
  ) {
    const before = run.n;
    run.n += samples.write(rows, before);
    if (flowRows) flows.write(flowRows, before);
    if (deviceRows) devices.write(deviceRows, before);
    run.timeUs = samples.columns.timeUs ?? run.timeUs;
  }

  return run;
}

/** Connections with the paths that some of them take instead of their own. */
function detoured(flows: readonly GraphFlow[], detours: Detours): readonly GraphFlow[] {
  if (detours.length === 0) return flows;
  const paths = new Map(detours);
  return flows.map((flow, number) => ({ ...flow, path: paths.get(number) ?? flow.path }));
}
