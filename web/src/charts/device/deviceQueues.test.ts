import { describe, expect, it } from "vitest";
import type { QueueLevel } from "../../generated/answers.d.ts";
import { deviceReading } from "../../run/devices.ts";
import { createRunView } from "../../run/recorder.ts";
import { testRun } from "../../run/testRun.ts";
import { SvgSurface } from "../drawing/surface.ts";
import { THEME } from "../drawing/testTheme.ts";
import { blockSize, createQueuesMemory, drawQueues, nextLevel, queuesSentence } from "./deviceQueues.ts";

const LEVELS: readonly QueueLevel[] = [
  { level: "high", title: "High", classes: [0], weight: 3 },
  { level: "low", title: "Low", classes: [1], weight: 1 },
];
const arbiter = { title: "Weighted round robin", note: "weights 3 : 1, burst 1", limit: 32 };

/** A device of two channels and no more; high and low commands that wait, and what both may still launch. */
function run(high: number, low: number, credits: readonly [number, number]) {
  const nodes = [{ name: "s1", kind: "host", tier: 0, pod: -1, index: 0, storage: true } as const];
  const device = { node: 0, name: "ssd", kind: "ssd", channels: 2, units: 0, sampledByUnit: true } as const;
  const layout = testRun({ nodes, links: [], flows: [], bottleneck: -1 }).layout;
  const view = createRunView({ ...layout, devices: [device] });
  view.update({
    devices: new Float32Array([
      0,
      high,
      0,
      low,
      32,
      credits[0],
      0,
      credits[1],
      0,
      0,
      0,
      Number.NaN,
      Number.NaN,
      0.5,
      1,
    ]),
    nowUs: 1000,
  });
  return view;
}

describe("the picture of submission queues", () => {
  it("serves a level while it waits and has commands left in the round", () => {
    const next = (...state: Parameters<typeof run>) => {
      const reading = deviceReading(run(...state), 0);
      return reading && nextLevel(reading, LEVELS)?.level;
    };
    expect(next(5, 5, [1, 1])).toBe("high");
    expect(next(5, 5, [0, 1])).toBe("low");
    expect(next(5, 5, [0, 0])).toBe("high");
    expect(next(0, 5, [3, 0])).toBe("low");
    expect(next(0, 0, [3, 1])).toBeUndefined();
  });

  it("lets a block stand for so many commands that all have room", () => {
    expect([blockSize(30, 32), blockSize(33, 32), blockSize(100, 32), blockSize(1000, 32)]).toEqual([
      1, 2, 5, 50,
    ]);
  });

  it("has a block for each command, names, the round and the channels", () => {
    const surface = new SvgSurface(THEME);
    const view = run(5, 2, [2, 1]);
    drawQueues(
      surface,
      THEME,
      744,
      200,
      { run: view, device: 0, levels: LEVELS, arbiter },
      createQueuesMemory()(view, 0),
    );
    const svg = surface.document(744, 200, "#fff", "", "");
    for (const text of [
      "High",
      "5 waiting",
      "2 waiting",
      "Weighted round robin",
      "32 of 32 in the device",
      "ch 1",
    ])
      expect(svg).toContain(text);
  });

  it("keeps what it needs to know of the past: most that waited, and channels as they were lately", () => {
    const memory = createQueuesMemory();
    const view = run(5, 2, [2, 1]);
    expect(memory(view, 0)).toMatchObject({ maxWaiting: 5, busy: new Float32Array([0.5, 1]) });
    const idle = new Float32Array([0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, Number.NaN, Number.NaN, 0, 0]);
    view.update({ devices: idle, nowUs: 1001 });
    expect(memory(view, 0).maxWaiting).toBe(5);
    expect(memory(view, 0).busy[1]).toBeGreaterThan(0.9);
    view.update({ devices: idle.slice(), nowUs: 3000 });
    expect(memory(view, 0).busy[1]).toBeLessThan(0.01);
  });

  it("is told in a sentence", () => {
    const props = { run: run(5, 2, [0, 1]), device: 0, levels: LEVELS, arbiter };
    expect(queuesSentence(props)).toBe(
      "At 1.000 ms commands wait at s1: 5 of High, 2 of Low. Weighted round robin, weights 3 : 1, burst 1, next Low; 32 commands in the device.",
    );
  });
});
