import { describe, expect, it } from "vitest";
import { NO_BOTTLENECK } from "./bottleneck.ts";
import { claimsOf, remarksOf, type StoryClaim } from "./claims.ts";
import { testRun } from "./testRun.ts";
import type { RunView } from "./types.ts";

/** A run of four samples with figures and samples of its two classes. */
function run(figures: readonly (readonly number[])[], utilisation: number): RunView {
  const base = testRun();
  const figureColumns = ["targetGbps", "qualityFactor", "convergedAtUs", "p99Us", "missedFraction"];
  return {
    ...base,
    n: 4,
    nowUs: 400,
    timeUs: Float64Array.of(100, 200, 300, 400),
    columns: {
      ...base.columns,
      "goodputGbps.0": new Float64Array(4).fill(30),
      "goodputGbps.1": new Float64Array(4).fill(10),
    },
    classes: figures.map((_, i) => ({ name: ["High", "Low"][i] ?? "", kindIndex: i })),
    figures: Float64Array.from(figures.flat()),
    bottleneck: { ...NO_BOTTLENECK, utilisation, saturated: utilisation > 0.9 },
    layout: { ...base.layout, figureColumns, devices: [] },
  };
}
const none = Number.NaN;
const device = { node: 1, name: "ssd", kind: "ssd", channels: 1, units: 1, sampledByUnit: false } as const;
const two = run(
  [
    [48, 1, 300, 250, 0.15],
    [16, 1, 900, 750, none],
  ],
  0.97,
);
const one = (view: RunView, claim: StoryClaim) => claimsOf(view, [claim])[0];

describe("a claim of a story", () => {
  it("holds while its figure is within its bounds, and says what that is", () => {
    expect(one(two, { metric: "share", class: "High", min: 0.7 })).toMatchObject({
      holds: true,
      value: 0.75,
    });
    expect(one(two, { metric: "share", class: "Low", min: 0.3 })).toMatchObject({
      holds: false,
      value: 0.25,
    });
    expect(one(two, { metric: "p99Us", max: 500 })).toMatchObject({ holds: false, value: 750 });
    expect(one(two, { metric: "utilisation", min: 0.95, max: 1 })).toMatchObject({ holds: true });
  });

  it("stays in the list where there is no figure to tell from", () => {
    expect(one(two, { metric: "missed", class: "Low", max: 0.1 })).toMatchObject({
      holds: false,
      value: none,
    });
    expect(one(two, { metric: "share", class: "Gone", min: 0.1 })?.holds).toBe(false);
  });

  it("is not told before there are samples", () => {
    expect(claimsOf({ ...two, nowUs: 50 }, [{ metric: "share", min: 0 }])).toEqual([]);
  });
});

describe("what can be said of any run", () => {
  it("is that all classes have their share, since the last of them came to it", () => {
    expect(remarksOf(two)).toEqual([
      expect.objectContaining({ id: "shares", holds: true, sinceUs: 900 }),
      expect.objectContaining({ id: "full", share: expect.closeTo(0.97) }),
    ]);
  });

  it("says nothing of a bottleneck that is none", () => {
    const idle = run([[48, 1, 300, 250, none]], 0);
    expect(remarksOf(idle)).toEqual([]);
  });

  it("is which device limits throughput, and how many commands wait there", () => {
    const bottleneck = { ...NO_BOTTLENECK, waiting: [183], device: 0 };
    const layout = { ...two.layout, devices: [device] };
    const full = { ...two, layout, bottleneck };
    expect(remarksOf(full)).toEqual([{ id: "device", holds: true, device: "SSD", waiting: 183 }]);
    expect(one(full, { metric: "waitingCommands", min: 50 })).toMatchObject({ holds: true, value: 183 });
    expect(one(two, { metric: "waitingCommands", min: 50 })?.holds).toBe(false);
  });

  it("says nothing of shares where the rates of the network are out of reach", () => {
    const outOfReach = { reason: "SSD is the bottleneck", device: 0, sinceUs: 100 };
    const starved = { ...two, bottleneck: { ...NO_BOTTLENECK, outOfReach } };
    expect(remarksOf(starved)).toEqual([]);
  });
});
