import { describe, expect, it } from "vitest";
import { deviceColumn, deviceColumnNames, deviceName, deviceReading, deviceTitle } from "./devices.ts";
import { createRunView } from "./recorder.ts";
import { testRows, testRun } from "./testRun.ts";
import type { DeviceLayout } from "./types.ts";

const SSD: DeviceLayout = { node: 0, name: "ssd", kind: "ssd", channels: 2, units: 3, sampledByUnit: true };
const MEMORY: DeviceLayout = {
  node: 0,
  name: "pm",
  kind: "persistent-memory",
  channels: 1,
  units: 2,
  sampledByUnit: false,
};

const layout = {
  ...testRun().layout,
  deviceColumns: ["inDevice", "freeBlocks"],
  devices: [SSD, MEMORY],
};

describe("devices of a run", () => {
  it("have a column for each metric, and for each unit where they are sampled so", () => {
    expect(deviceColumnNames(layout)).toEqual([
      "inDevice.0",
      "freeBlocks.0",
      "busy.0.0",
      "busy.0.1",
      "busy.0.2",
      "gc.0.0",
      "gc.0.1",
      "gc.0.2",
      "inDevice.1",
      "freeBlocks.1",
    ]);
  });

  it("keep their rows beside the samples, past the first capacity", () => {
    const run = createRunView(layout);
    const row = (s: number) => [s, 100, 0.1, 0.2, 0.3, 0, 0, 1, 2 * s, 50];
    for (const from of [0, 900]) {
      const rows = Array.from({ length: 900 }, (_, s) => row(from + s)).flat();
      run.update({ rows: testRows(900, from), deviceRows: new Float32Array(rows), nowUs: 10 * (from + 900) });
    }
    expect(deviceColumn(run, "inDevice", 0)?.[1799]).toBe(1799);
    expect(deviceColumn(run, "inDevice", 1)?.[1799]).toBe(3598);
    expect(run.deviceColumns["gc.0.2"]?.[1000]).toBe(1);
    run.rewind(100);
    run.update({ rows: testRows(1, 10), deviceRows: new Float32Array(row(77)), nowUs: 110 });
    expect(deviceColumn(run, "inDevice", 0)?.[10]).toBe(77);
  });

  it("are read one after the other", () => {
    const run = createRunView(layout);
    expect(deviceReading(run, 0)).toBeNull();
    const first = [0, 3, 2, 1, 7, 3, 2, 1, 40, 8, 9.5, 2500, NaN, 0.5, 0.25, 1, 0.5, 0, 1, 0, 0, 4, 5, 6];
    const second = [1, 0, 0, 0, 2, 1, 1, 1, 0, 0, 0, NaN, NaN, 0.75, 0.1, 0.2, 0, 0, 0, 0];
    run.update({ devices: new Float32Array([...first, ...second]) });
    expect(deviceReading(run, 0)).toMatchObject({
      waiting: { urgent: 0, high: 3, medium: 2, low: 1 },
      inDevice: 7,
      credits: { high: 3, medium: 2, low: 1 },
      cachedPages: 40,
      freeBlocks: { min: 8, mean: 9.5 },
      cacheFullUs: 2500,
      collectsUs: Number.NaN,
    });
    expect([...(deviceReading(run, 0)?.unitWaiting ?? [])]).toEqual([4, 5, 6]);
    expect(deviceReading(run, 1)?.channelBusy[0]).toBe(0.75);
    expect(deviceReading(run, 2)).toBeNull();
  });

  it("are called by their host, and by their own name where it has several", () => {
    const nodes = [{ name: "s12", kind: "host", tier: 0, pod: 0, index: 0, storage: true } as const];
    const graph = { nodes, links: [], flows: [], bottleneck: -1 };
    expect(deviceName(createRunView({ ...layout, graph }), 1)).toBe("s12, pm");
    expect(deviceName(createRunView({ ...layout, graph, devices: [SSD] }), 0)).toBe("s12");
    expect(deviceTitle(createRunView({ ...layout, graph }), 1)).toBe("memory s12, pm");
    expect(deviceTitle(createRunView({ ...layout, graph, devices: [SSD] }), 0)).toBe("SSD");
  });
});
