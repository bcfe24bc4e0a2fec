import { describe, expect, it } from "vitest";
import type { TraceSummary } from "../../engine/files/traceProtocol.ts";
import type { Reading } from "../../engine/files/traces.ts";
import { figure } from "../../run/read.ts";
import { testRun } from "../../run/testRun.ts";
import type { Workload } from "../../scenario/types.ts";
import { recordedLatencies } from "./recorded.ts";

const none = { requests: 0, meanUs: null, p50Us: null, p99Us: null, maxUs: null };
const latencies = (requests: number, slower: readonly [number, number][]) => ({
  reads: { ...none, requests },
  writes: { ...none, requests: 1 },
  slower,
});

const summary = {
  recorded: latencies(99, [
    [50, 0.5],
    [90, 0],
  ]),
  volumes: [
    { name: "hm_0", recorded: latencies(9, [[70, 0]]) },
    { name: "hm_1", recorded: null },
  ],
} as unknown as TraceSummary;
const readings: Record<string, Reading> = {
  "hm.csv": { kind: "read", summary, request: {} as Extract<Reading, { kind: "read" }>["request"] },
};

const replays = (name: string, volume?: string, file = "hm.csv"): Workload =>
  ({ class: name, traffic: { kind: "trace", file, ...(volume && { volume }) } }) as Workload;
const backlogged = (name: string): Workload => ({ class: name, traffic: { kind: "backlogged" } }) as Workload;

const curves = (workloads: Workload[]) =>
  recordedLatencies(testRun(), workloads, readings)?.view.latency.map((pairs) => [...pairs]) ?? null;

describe("latencies as they were recorded", () => {
  it("are those of the class that replays the trace", () => {
    expect(curves([replays("High"), backlogged("Low")])).toEqual([[50, 0.5, 90, 0], []]);
    expect(curves([backlogged("High"), replays("Low")])).toEqual([[], [50, 0.5, 90, 0]]);
  });

  it("are of the volume that is replayed", () => {
    expect(curves([replays("High", "hm_0")])).toEqual([[70, 0], []]);
    expect(curves([replays("High", "hm_1")])).toBeNull();
  });

  it("are told with as many requests as were recorded, and leave the run as it is", () => {
    const run = testRun();
    const recorded = recordedLatencies(run, [replays("High")], readings);
    expect(recorded?.files).toEqual(["hm.csv"]);
    expect(recorded && figure(recorded.view, 0, "requestsCompleted")).toBe(100);
    expect(figure(run, 0, "requestsCompleted")).not.toBe(100);
  });

  it("are none where a class does something else as well, or the trace is not on the page", () => {
    expect(curves([replays("High"), backlogged("High")])).toBeNull();
    expect(curves([replays("High"), replays("High", "hm_0")])).toBeNull();
    expect(curves([replays("High"), replays("High")])).not.toBeNull();
    expect(curves([replays("High", undefined, "other.csv")])).toBeNull();
    expect(curves([backlogged("High")])).toBeNull();
  });
});
