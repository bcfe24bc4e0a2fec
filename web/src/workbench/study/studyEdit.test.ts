import { describe, expect, it } from "vitest";
import {
  addFactor,
  factorsOf,
  firstStudy,
  hasRoom,
  removeFactor,
  replaceFactor,
  setMeasures,
  setRange,
  setSweep,
  setValues,
  studyOf,
  studyText,
  varyAlone,
  withKind,
} from "./studyEdit.ts";
import { suggested, THRESHOLD, TRANSPORT, WEIGHT } from "./testStudy.ts";

const first = firstStudy(suggested);
if (first === null) throw new Error("there is something to study");

describe("a study by hand", () => {
  it("begins with what theory recommends a value for, and the suggested measures", () => {
    expect(first).toMatchObject({
      title: "Sweep of ECN threshold K",
      vary: [{ path: THRESHOLD.path, range: THRESHOLD.range }],
      ask: { kind: "sweep" },
    });
    expect(first.measures.map(({ title }) => title)).toEqual(["Total throughput", "p99 latency"]);
  });

  it("is none where nothing can vary", () => {
    expect(firstStudy({ ...suggested, fields: [] })).toBeNull();
    expect(firstStudy({ ...suggested, measures: [] })).toBeNull();
  });

  it("takes up to three fields, each once", () => {
    const two = addFactor(first, WEIGHT, suggested);
    expect(factorsOf(two).map(({ path }) => path)).toEqual([THRESHOLD.path, WEIGHT.path]);
    expect(addFactor(two, WEIGHT, suggested)).toBe(two);
    const three = addFactor(two, TRANSPORT, suggested);
    expect(hasRoom(three)).toBe(false);
    expect(factorsOf(three).at(-1)).toEqual({ path: TRANSPORT.path, values: ["qtcp", "dctcp"] });
    expect(addFactor(three, { ...WEIGHT, path: "other" }, suggested)).toBe(three);
  });

  it("adds no points where curves bend once there is a second field", () => {
    const bent = setSweep(first, { bends: 6 });
    expect(addFactor(bent, WEIGHT, suggested).ask).toMatchObject({ bends: 0 });
  });

  it("is called after what varies, unless somebody called it otherwise", () => {
    const two = addFactor(first, WEIGHT, suggested);
    expect(two.title).toBe("Sweep of ECN threshold K, Weight of high priority");
    expect(removeFactor(two, 0, suggested).title).toBe("Sweep of Weight of high priority");
    expect(addFactor({ ...first, title: "Mine" }, WEIGHT, suggested).title).toBe("Mine");
  });

  it("keeps the values of a field that goes on alone", () => {
    const mine = setRange(addFactor(first, WEIGHT, suggested), 0, { count: 3 });
    expect(varyAlone(mine, THRESHOLD, suggested).vary).toEqual([
      { path: THRESHOLD.path, range: { ...THRESHOLD.range, count: 3 } },
    ]);
    expect(replaceFactor(mine, 0, TRANSPORT, suggested).vary?.[0]?.path).toBe(TRANSPORT.path);
  });

  it("has values one by one in the place of a range", () => {
    const listed = setValues(first, 0, [5, 20, 80]);
    expect(JSON.parse(studyText(listed)).vary).toEqual([{ path: THRESHOLD.path, values: [5, 20, 80] }]);
  });

  it("is asked in another way with the same measures, and seeds but for a sensitivity", () => {
    const seeded = { ...first, seeds: { first: 7, count: 4 } };
    const matters = withKind(seeded, "sensitivity", suggested);
    const { seeds, walks } = suggested.sensitivity;
    expect(matters).toMatchObject({ title: "What matters", vary: [], seeds: { first: 7, count: seeds } });
    expect(matters.ask).toEqual({ kind: "sensitivity", walks });
    expect(matters.measures).toBe(first.measures);
    const back = withKind(matters, "sweep", suggested);
    expect(back.vary?.[0]?.path).toBe(THRESHOLD.path);
    expect(back.seeds).toEqual({ first: 7 });
    expect(withKind(seeded, "search", suggested).seeds).toEqual(seeded.seeds);
    const wishes = {
      targets: [{ measure: "Total throughput", atLeast: 90 }],
      prefer: [{ of: THRESHOLD.path, wanted: "min" as const }],
    };
    expect(withKind(first, "search", suggested, wishes)).toMatchObject({
      vary: first.vary,
      ask: { kind: "search", ...wishes },
    });
  });

  it("asks nothing of measures that are gone", () => {
    const targets = [
      { measure: "Total throughput", atLeast: 90 },
      { measure: "p99 latency, High", atMost: 300 },
    ];
    const search = withKind(first, "search", suggested, { targets, prefer: [] });
    const left = setMeasures(search, first.measures.slice(1));
    expect(left.ask).toMatchObject({ targets: [targets[1]] });
    const within = setSweep(first, { within: { percent: 5, measures: ["Total throughput"] } });
    expect(setMeasures(within, first.measures.slice(1)).ask).toMatchObject({ within: { measures: [] } });
  });

  it("goes into a link and out of it, and nothing else does", () => {
    expect(studyOf(studyText(first))).toEqual(first);
    expect(studyText({ ...first, scenario: "three-writers" })).toBe(studyText(first));
    for (const text of [
      "",
      "{",
      "[]",
      "null",
      '{"ask":null,"measures":[]}',
      '{"ask":{"kind":"x"},"measures":[]}',
    ])
      expect(studyOf(text)).toBeNull();
  });
});
