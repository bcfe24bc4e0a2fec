import { describe, expect, it } from "vitest";
import storage from "../../../scenarios/storage-three-classes.json";
import threeWriters from "../../../scenarios/three-writers.json";
import { explanationOf } from "./explanation.ts";
import { setPaths } from "./path.ts";
import {
  nothingToChange,
  recommendations,
  stepsBack,
  stepsForth,
  stillHold,
  thresholdSentence,
} from "./recommend.ts";
import type { Scenario } from "./types.ts";

const scale = { packetBytes: 1500, linkGbps: 100 };
const K = "switch.ecnThresholdPackets";

/** What the engine says of a network of 100 Gb/s with a round trip of 25 us. */
const explanation = explanationOf({
  fields: [
    { path: K, value: 140, source: "default", recommended: [30, 52] },
    { path: "topology.baseRttUs", value: 25, source: "derived" },
    ...["high", "medium", "low"].map((value, i) => ({
      path: `classes[${i}].nvmePriority`,
      value,
      source: "derived" as const,
    })),
  ],
  metrics: [],
});

const writers = threeWriters as unknown as Scenario;
const set = (scenario: Scenario, values: Readonly<Record<string, unknown>>) =>
  setPaths(
    scenario,
    Object.entries(values).map(([path, value]) => ({ path, value })),
  );
const rows = (scenario: Scenario) =>
  recommendations(scenario, explanation).map(
    ({ title, before, after, because }) => `${title} ${before} → ${after}, because ${because}`,
  );

describe("recommended ECN threshold", () => {
  const band = { low: 30, high: 52 };

  it("is compared with K in one sentence", () => {
    expect(thresholdSentence(140, band, scale)).toBe(
      "Above the recommended 30–52: full throughput, up to 16.8 µs more waiting.",
    );
    expect(thresholdSentence(35, band, scale)).toMatch(/^Within/);
    expect(thresholdSentence(10, band, scale)).toMatch(/^Below/);
  });

  it("comes from rate and round trip", () => {
    expect(rows(set(writers, { [K]: 140 }))).toEqual(["K 140 → 35 packets, because 0.17 × 100 Gb/s × 25 µs"]);
    expect(rows(set(writers, { [K]: 20 }))).toHaveLength(1);
  });

  it("leaves a K within the band alone, one that has no effect, and one of which nothing is known", () => {
    expect(rows(set(writers, { [K]: 52 }))).toEqual([]);
    const inert = explanationOf({
      fields: [
        {
          path: K,
          value: 140,
          source: "given",
          recommended: [30, 52],
          noEffect: { reason: "no port marks" },
        },
        { path: "topology.baseRttUs", value: 25, source: "derived" },
      ],
      metrics: [],
    });
    expect(recommendations(set(writers, { [K]: 140 }), inert)).toEqual([]);
    expect(nothingToChange(inert)).toBe("K has no effect: no port marks. Nothing to change.");
    expect(nothingToChange(explanation)).toMatch(/^K is within/);
    expect(recommendations(writers, explanationOf({ fields: [], metrics: [] }))).toEqual([]);
  });
});

describe("recommended headroom", () => {
  const own = (headroomBytes: number | null) =>
    set(writers, { [K]: 40, "switch.headroomBytes": headroomBytes, "topology.linkDelayUs": 1 });

  it("is that of the formula where a smaller one is set", () => {
    // 2 x 100 Gb/s x 1 us, three packets of 1502 bytes and a pause frame of 64 bytes.
    expect(rows(own(20_000))).toEqual([
      "Headroom 20 KB → by formula, because 29.6 KB may still arrive after a pause is sent",
    ]);
    expect(rows(own(29_570))).toEqual([]);
    expect(rows(own(null))).toEqual([]);
  });

  it("is that of the longest cable of a drawn network", () => {
    const links = [
      { from: "a", to: "s", delayUs: 0.1 },
      { from: "b", to: "s", delayUs: 10 },
    ];
    const shape = { kind: "custom", nodes: [], links };
    expect(rows(set(own(30_000), { "topology.shape": shape }))[0]).toMatch(/because 255 KB/);
  });
});

describe("recommended weights", () => {
  const weighed = (high: number, medium: number, low: number, ratios = [3, 2, 1]) =>
    set(storage as unknown as Scenario, {
      [K]: 40,
      "storage.treatment": "coordinated",
      "storage.nvme.arbitration": "weighted-round-robin",
      "storage.nvme.highWeight": high,
      "storage.nvme.mediumWeight": medium,
      "storage.nvme.lowWeight": low,
      ...Object.fromEntries(ratios.map((ratio, index) => [`classes[${index}].ratio`, ratio])),
    });

  it("are the ratios of the classes", () => {
    expect(rows(weighed(4, 4, 1))).toEqual([
      "Weights 4 : 4 : 1 → 3 : 2 : 1, because the ratios of the classes",
    ]);
    expect(rows(weighed(3, 2, 1, [1.5, 1, 1]))[0]).toMatch("→ 3 : 2 : 2,");
    expect(rows(weighed(3, 2, 1, [1000, 1, 1]))[0]).toMatch("→ 255 : 1 : 1,");
  });

  it("are left alone in proportion, and where storage does not know the classes", () => {
    expect(rows(weighed(6, 4, 2))).toEqual([]);
    expect(rows(set(weighed(4, 4, 1), { "storage.treatment": "agnostic" }))).toEqual([]);
    expect(rows(set(weighed(4, 4, 1), { "storage.nvme.arbitration": "round-robin" }))).toEqual([]);
  });

  it("are followed and taken back", () => {
    const before = weighed(4, 4, 1);
    const advice = recommendations(before, explanation);
    const after = setPaths(before, stepsForth(advice));
    expect(after.storage?.nvme).toMatchObject({ highWeight: 3, mediumWeight: 2, lowWeight: 1 });
    expect([stillHold(advice, after), stillHold(advice, before)]).toEqual([true, false]);
    expect(setPaths(after, stepsBack(advice))).toEqual(before);
  });
});
