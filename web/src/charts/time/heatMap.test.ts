import { describe, expect, it } from "vitest";
import { createRunView } from "../../run/recorder.ts";
import { testRun } from "../../run/testRun.ts";
import type { DeviceLayout } from "../../run/types.ts";
import type { TimeFrame } from "../drawing/bins.ts";
import { createTimeCursor } from "./cursor.ts";
import { cellPace, heatMapOf, heatModel, opacityOf } from "./heatMap.ts";

const SSD: DeviceLayout = { node: 0, name: "ssd", kind: "ssd", channels: 1, units: 2, sampledByUnit: true };

/** Ten cells of four pixels, each of 100 us. */
const frame: TimeFrame = {
  left: 50,
  right: 90,
  x: (us) => 50 + us / 25,
  timeAt: (x) => (x - 50) * 25,
};

/** Samples at the given instants; the first unit as busy as said, the second collects garbage all the time. */
function run(samples: readonly (readonly [us: number, busy: number])[]) {
  const nodes = [{ name: "s1", kind: "host", tier: 0, pod: -1, index: 0, storage: true } as const];
  const graph = { nodes, links: [], flows: [], bottleneck: -1 };
  const view = createRunView({ ...testRun(graph).layout, sampleColumns: ["timeUs"], devices: [SSD] });
  view.update({
    rows: new Float64Array(samples.map(([us]) => us)),
    deviceRows: new Float32Array(samples.flatMap(([, busy]) => [busy, 1, 0, 1])),
    nowUs: samples.at(-1)?.[0] ?? 0,
  });
  return view;
}

const shares = (map: ReturnType<typeof heatMapOf>, kind: "busyUs" | "gcUs", unit: number) =>
  Array.from(map.knownUs, (known, cell) => (map[kind][unit * map.cells + cell] as number) / known);

describe("the map of busy chips", () => {
  it("gathers several samples in a cell, by the time that each tells of", () => {
    const map = heatMapOf(run([[25, 1], [50, 1], [100, 0], [200, 0.5]]), 0, frame); // biome-ignore format: a row
    expect(map.cells).toBe(10);
    expect(shares(map, "busyUs", 0).slice(0, 2)).toEqual([0.5, 0.5]);
    expect(shares(map, "gcUs", 1).slice(0, 2)).toEqual([1, 1]);
    expect(map.knownUs[2]).toBe(0);
  });

  it("spreads a sample over all cells that it tells of", () => {
    const map = heatMapOf(run([[150, 1], [450, 0.25]]), 0, frame); // biome-ignore format: a row
    expect(shares(map, "busyUs", 0).slice(0, 5)).toEqual([1, 0.625, 0.25, 0.25, 0.25]);
    expect(map.knownUs[4]).toBe(50);
  });

  it("takes in what is new, and begins anew after a rewind", () => {
    const view = run([[100, 1]]);
    expect(heatMapOf(view, 0, frame).knownUs[1]).toBe(0);
    view.update({ rows: new Float64Array([200]), deviceRows: new Float32Array([0, 0, 0, 0]), nowUs: 200 });
    expect(heatMapOf(view, 0, frame).knownUs[1]).toBe(100);
    view.rewind(100);
    expect(heatMapOf(view, 0, frame).knownUs[1]).toBe(0);
  });

  it("is drawn anew only when the playhead comes to another cell", () => {
    const view = run([[100, 1]]);
    let drawn = 0;
    const stop = cellPace(view, () => frame).subscribe(() => drawn++);
    for (const nowUs of [110, 120, 199, 201, 250, 90]) view.update({ nowUs });
    stop();
    view.update({ nowUs: 900 });
    expect(drawn).toBe(3);
  });

  it("goes from pale to dark, and says in words what it shows", () => {
    expect([opacityOf(0), opacityOf(7)]).toEqual([0.05, 0.77]);
    const view = run([[100, 1]]);
    const model = heatModel(
      {
        run: view,
        domainUs: [0, 1000],
        gutters: { left: 50, right: 0 },
        cursor: createTimeCursor(),
        height: 100,
      },
      0,
    );
    expect(model.sentence(0)).toMatch(
      /At 0\.100 ms the 2 chips of s1 are busy 100\.0\u202f% of the time, 50\u202f% with/,
    );
    expect(model.table.map(({ header }) => header)).toEqual(["ch 0 busy (share)", "ch 0 GC (share)"]);
  });
});
