import { NO_BOTTLENECK } from "./bottleneck.ts";
import { deviceColumnNames } from "./devices.ts";
import { identityIndices } from "./identity.ts";
import { LINK_NUMBERS } from "./links.ts";
import { lowerBound } from "./search.ts";
import type { Detours, GraphFlow, Present, Reading, RunClass, RunLayout, RunView } from "./types.ts";

/** A `RunView` that its owner may feed. */
export interface RunRecorder extends RunView {
  update(reading: Reading): void;
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

  const present: Present = {
    nowUs: 0,
    figures: new Float64Array(classes.length * layout.figureColumns.length).fill(Number.NaN),
    links: new Float32Array(layout.graph.links.length * LINK_NUMBERS),
    devices: new Float32Array(0),
    stages: new Float32Array(0),
    bottleneck: NO_BOTTLENECK,
    deadlock: null,
    latency: classes.map(() => new Float64Array(0)),
    deviceLatency: classes.map(() => new Float64Array(0)),
    convergence: classes.map(() => []),
    model: null,
  };
  const run = {
    ...present,
    version: 0,
    layout,
    classes,
    n: 0,
    timeUs: samples.columns.timeUs ?? new Float64Array(0),
    columns: samples.columns,
    flowColumns: flows.columns,
    deviceColumns: devices.columns,
    flows: layout.graph.flows as readonly GraphFlow[],

    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },

    update({ rows, flowRows, deviceRows, detours, hash, ...now }: Reading) {
      if (rows) append(rows, flowRows, deviceRows);
      if (detours) run.flows = detoured(layout.graph.flows, detours);
      if (hash) run.layout = { ...run.layout, hash };
      Object.assign(run, now);
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
