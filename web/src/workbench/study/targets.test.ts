import { describe, expect, it } from "vitest";
import { firstStudy } from "./studyEdit.ts";
import {
  addPreference,
  addTarget,
  boundedOf,
  firstWishes,
  loosened,
  measureChoices,
  nowOf,
  partsOf,
  preferables,
  removeTarget,
  searchOf,
  setBounded,
  setPreference,
  setTarget,
  setTargetMeasure,
} from "./targets.ts";
import { searchStudy, suggested, sweepTable, THRESHOLD, WEIGHT } from "./testStudy.ts";

const CLASSES = ["High", "Low"];
const known = nowOf(searchStudy, sweepTable, null);
const targets = (study: Parameters<typeof searchOf>[0]) => searchOf(study)?.targets ?? [];

describe("targets by hand", () => {
  it("are told by their measure and class", () => {
    const choices = measureChoices(searchStudy, suggested);
    expect(choices.map(({ group, isOfEachClass }) => [group, isOfEachClass])).toEqual([
      ["Total throughput", false],
      ["p99 latency", true],
      ["Drops", false],
    ]);
    expect(partsOf("p99 latency, High", choices)).toMatchObject({ choice: choices[1], name: "High" });
    expect(partsOf("Total throughput", choices)).toMatchObject({ choice: choices[0], name: null });
    expect(partsOf("p50 latency, High", choices).choice).toBeUndefined();
  });

  it("bound one end, the other, or both", () => {
    const [first] = targets(setBounded(searchStudy, 0, "atLeast"));
    expect(first).toEqual({ measure: "p99 latency, High", atLeast: 300, confidence: 0.95 });
    const both = setBounded(searchStudy, 0, "between");
    expect(targets(both)[0]).toMatchObject({ atLeast: 300, atMost: 300 });
    const wide = setTarget(both, 0, { atLeast: 100 });
    expect(boundedOf(targets(wide)[0] ?? { measure: "" })).toBe("between");
    expect(targets(setBounded(wide, 0, "atMost"))[0]).toMatchObject({ atMost: 300 });
  });

  it("begin as good as it is now, to the lenient side, when they are about something else", () => {
    const low = setTargetMeasure(searchStudy, 0, "p99 latency", "Low", suggested, known);
    expect(targets(low)[0]).toEqual({ measure: "p99 latency, Low", atMost: 800, confidence: 0.95 });
    const total = setTargetMeasure(searchStudy, 0, "Total throughput", null, suggested, known);
    expect(targets(total)[0]).toMatchObject({ atLeast: 92 });
    // Nobody knows how many drops there are now.
    const drops = setTargetMeasure(searchStudy, 0, "Drops", null, suggested, known);
    expect(targets(drops)[0]).toMatchObject({ measure: "Drops", atMost: null });
    expect(drops.measures.map(({ title }) => title)).toContain("Drops");
  });

  it("are added of what there is none of yet, and removed", () => {
    const more = addTarget(searchStudy, suggested, CLASSES, known);
    expect(targets(more).at(-1)).toEqual({ measure: "p99 latency, Low", atMost: 800 });
    expect(targets(removeTarget(more, 0)).map(({ measure }) => measure)).toEqual([
      "Total throughput",
      "p99 latency, Low",
    ]);
  });

  it("are loosened, never tightened, by rounding", () => {
    expect(loosened(281.3, true)).toBe(290);
    expect(loosened(281.3, false)).toBe(280);
    expect(loosened(280, true)).toBe(280);
    expect(loosened(0.0123, true, 1)).toBe(0.02);
  });
});

describe("what is preferred", () => {
  it("is something that varies, or a measure, and of two the trade-off", () => {
    const all = preferables(searchStudy, suggested, CLASSES);
    expect(all.slice(0, 3).map(({ of, title }) => [of, title])).toEqual([
      [THRESHOLD.path, "ECN threshold K"],
      [WEIGHT.path, "Weight of high priority"],
      ["Total throughput", "Total throughput"],
    ]);
    const two = addPreference(searchStudy, suggested, CLASSES);
    expect(searchOf(two)?.prefer).toEqual([
      { of: THRESHOLD.path, wanted: "min" },
      { of: WEIGHT.path, wanted: "min" },
    ]);
    expect(addPreference(two, suggested, CLASSES)).toBe(two);
  });

  it("has its measure among those that are taken", () => {
    const next = setPreference(searchStudy, 0, { of: "Drops" }, suggested);
    expect(next.measures.map(({ title }) => title)).toContain("Drops");
  });
});

describe("a search to begin with", () => {
  it("keeps what is measured as it is now, with what varies as small as possible", () => {
    const study = firstStudy(suggested);
    if (!study) throw new Error("there is something to study");
    expect(firstWishes(study, suggested, CLASSES, known)).toEqual({
      targets: [{ measure: "p99 latency, High", atMost: 320 }],
      prefer: [{ of: THRESHOLD.path, wanted: "min" }],
    });
    // Without results the run on the screen tells, else the person says how much.
    const view = {
      classes: [{ name: "High" }, { name: "Low" }],
      layout: { figureColumns: ["p50Us", "p99Us"] },
      figures: Float64Array.from([100, 281, 400, Number.NaN]),
    } as unknown as Parameters<typeof nowOf>[2];
    expect(firstWishes(study, suggested, CLASSES, nowOf(study, null, view)).targets).toEqual([
      { measure: "p99 latency, High", atMost: 290 },
    ]);
    expect(nowOf(study, null, view)("p99 latency, Low")).toBeNull();
    expect(firstWishes(study, suggested, CLASSES, nowOf(study, null, null)).targets).toEqual([
      { measure: "p99 latency, High", atMost: null },
    ]);
  });
});
