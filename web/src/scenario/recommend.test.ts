import { describe, expect, it } from "vitest";
import storage from "../../../scenarios/presets/storage-three-classes.json";
import threeWriters from "../../../scenarios/presets/three-writers.json";
import { explanationOf, NO_ANSWER, NOTHING_SAID, type Recommended } from "./explanation.ts";
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

const threshold = { band: [30, 52], value: 35, because: "0.17 × 100 Gb/s × 25 µs" } as const;

/** What the engine says of a network of 100 Gb/s with a round trip of 25 us, and of some other settings. */
const said = (more: Readonly<Record<string, Recommended>> = {}) =>
  explanationOf({
    ...NO_ANSWER,
    fields: Object.entries({ [K]: threshold, ...more }).map(([path, recommended]) => ({
      path,
      value: null,
      source: "given",
      recommended,
    })),
  });
const explanation = said();

const writers = threeWriters as unknown as Scenario;
const set = (scenario: Scenario, values: Readonly<Record<string, unknown>>) =>
  setPaths(
    scenario,
    Object.entries(values).map(([path, value]) => ({ path, value })),
  );
const rows = (scenario: Scenario, explained = explanation) =>
  recommendations(scenario, explained).map(
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
    const noEffect = explanationOf({
      ...NO_ANSWER,
      fields: [
        {
          path: K,
          value: 140,
          source: "given",
          recommended: threshold,
          noEffect: { reason: "no port marks" },
        },
      ],
    });
    expect(recommendations(set(writers, { [K]: 140 }), noEffect)).toEqual([]);
    expect(nothingToChange(noEffect)).toBe("K has no effect: no port marks. Nothing to change.");
    expect(nothingToChange(explanation)).toMatch(/^K is within/);
    expect(recommendations(writers, NOTHING_SAID)).toEqual([]);
    expect(nothingToChange(NOTHING_SAID)).toMatch(/until the network is known/);
    expect(nothingToChange(explanationOf(NO_ANSWER))).toMatch(/^Theory recommends no K/);
  });
});

describe("recommended headroom", () => {
  it("is that of the formula where the engine says that a smaller one is set", () => {
    const because = "29.6 KB may still arrive after a pause is sent, at the port that needs most";
    const short = said({ "switch.headroomBytes": { band: [29_570, 29_570], value: null, because } });
    const own = set(writers, { [K]: 40, "switch.headroomBytes": 20_000 });
    expect(rows(own, short)).toEqual([`Headroom 20 KB → by formula, because ${because}`]);
    expect(rows(own)).toEqual([]);
    const advice = recommendations(own, short);
    expect(stepsForth(advice)).toEqual([{ path: "switch.headroomBytes", value: null }]);
    expect(stepsBack(advice)).toEqual([{ path: "switch.headroomBytes", value: 20_000 }]);
  });
});

describe("recommended weights", () => {
  const because = "the ratios of the classes";
  const weight = (value: number) => ({ band: [value, value] as const, value, because });
  const weighed = said({
    "storage.nvme.highWeight": weight(3),
    "storage.nvme.mediumWeight": weight(2),
    "storage.nvme.lowWeight": weight(1),
  });
  const before = set(storage as unknown as Scenario, {
    [K]: 40,
    "storage.nvme.highWeight": 4,
    "storage.nvme.mediumWeight": 4,
    "storage.nvme.lowWeight": 1,
  });

  it("stand in one row", () => {
    expect(rows(before, weighed)).toEqual([
      "Weights 4 : 4 : 1 → 3 : 2 : 1, because the ratios of the classes",
    ]);
  });

  it("are followed and taken back", () => {
    const advice = recommendations(before, weighed);
    const after = setPaths(before, stepsForth(advice));
    expect(after.storage?.nvme).toMatchObject({ highWeight: 3, mediumWeight: 2, lowWeight: 1 });
    expect([stillHold(advice, after), stillHold(advice, before)]).toEqual([true, false]);
    expect(setPaths(after, stepsBack(advice))).toEqual(before);
  });
});
