import { describe, expect, it } from "vitest";
import { isBacklogged, limitingDevice, outOfReach } from "./bottleneck.ts";
import { createRunView } from "./recorder.ts";
import { testRows, testRun } from "./testRun.ts";

const device = { node: 0, name: "ssd", kind: "ssd", channels: 1, units: 1, sampledByUnit: false } as const;
const names = ["waitingUrgent", "waitingHigh", "waitingMedium", "waitingLow", "inDevice"];
const graph = { ...testRun().layout.graph, links: [{ from: 0, to: 1, gbps: 100 }], bottleneck: 0 };

/** A run of two devices, by sample: commands that wait for the second one, which has 16. */
function waitingFor(waiting: readonly number[], utilisation = 0.3) {
  const run = createRunView({
    ...testRun().layout,
    graph,
    deviceColumns: names,
    devices: [device, { ...device, name: "log" }],
  });
  run.update({
    rows: testRows(waiting.length),
    deviceRows: new Float32Array(waiting.flatMap((low) => [0, 2, 0, 0, 8, 0, 1, 0, low, 16])),
    links: new Float32Array([utilisation, 0, 0]),
    nowUs: 10 * waiting.length,
  });
  return run;
}
const always = (waiting: number) => new Array<number>(20).fill(waiting);

describe("what holds requests back", () => {
  it("is a device for which more commands wait than it has", () => {
    const run = waitingFor(always(17));
    expect([0, 1].map((index) => isBacklogged(run, index))).toEqual([false, true]);
    expect(limitingDevice(run)).toBe(1);
    expect(limitingDevice(waitingFor(always(3)))).toBeNull();
  });

  it("is told of the time that present figures are of, whatever a moment is like", () => {
    expect(limitingDevice(waitingFor([...always(40), 0]))).toBe(1);
    expect(limitingDevice(waitingFor([...always(0), 40]))).toBeNull();
    expect(limitingDevice(waitingFor([...always(0), ...always(40)]))).toBe(1);
  });

  it("is the network where its link is full", () => {
    expect(limitingDevice(waitingFor(always(17), 0.95))).toBeNull();
  });

  it("is nothing before there are samples", () => {
    expect(limitingDevice(waitingFor([]))).toBeNull();
  });
});

describe("targets in Gb/s", () => {
  const flow = { class: 0, source: 0, destination: 1, path: [0] };
  const over = (waiting: readonly number[], flows = [flow]) => {
    const run = waitingFor(waiting);
    Object.assign(run, { layout: { ...run.layout, graph: { ...run.layout.graph, flows } } });
    return run;
  };

  it("are out of reach where a device has held requests back, whatever the last moment is like", () => {
    expect(outOfReach(over(always(40)))).toBe("SSD , log is the bottleneck");
    expect(outOfReach(over([...always(40), ...always(0).slice(0, 5)]))).toMatch(/is the bottleneck$/);
    expect(outOfReach(over(always(3)))).toBeNull();
  });

  it("are out of reach where nothing goes over the network", () => {
    expect(outOfReach(over(always(3), []))).toBe("nothing goes over the network");
  });

  it("are judged anew when the run has gone on", () => {
    const run = over(always(40));
    expect(outOfReach(run)).not.toBeNull();
    run.update({
      rows: testRows(60, 20),
      deviceRows: new Float32Array(Array.from({ length: 60 }, () => [0, 2, 0, 0, 8, 0, 1, 0, 0, 16]).flat()),
      nowUs: 800,
    });
    expect(outOfReach(run)).toBeNull();
  });
});
