import { describe, expect, it } from "vitest";
import { fullOf, inSight, screenedFields, setFieldRange, setFieldVaries } from "./sensitivity.ts";
import { firstStudy, withKind } from "./studyEdit.ts";
import { ranking, suggested, sweepTable, THRESHOLD, TRANSPORT, WEIGHT } from "./testStudy.ts";

const first = firstStudy(suggested);
if (!first) throw new Error("there is something to study");
const study = withKind(first, "sensitivity", suggested);
const paths = (of: typeof study) => (of.vary ?? []).map(({ path }) => path);

describe("a ranking", () => {
  it("shows what is told from chance at first, and something in any case", () => {
    expect(inSight(ranking.effects, 10).map(({ factor }) => factor)).toEqual([0]);
    const none = ranking.effects.map((effect) => ({ ...effect, role: "chance" as const }));
    expect(inSight(none, 2)).toHaveLength(2);
  });

  it("has room for every interval and for the mark of chance", () => {
    expect(fullOf(ranking)).toBe(213);
    expect(fullOf({ ...ranking, chance: 500 })).toBe(500);
    expect(fullOf({ ...ranking, chance: 0, effects: [] })).toBe(1);
  });
});

describe("the fields of a sensitivity", () => {
  it("are all that have an effect, over the suggested ranges", () => {
    const fields = screenedFields(study, suggested, sweepTable);
    expect(fields.map(({ field, at, factor }) => [field.path, at, factor])).toEqual([
      [WEIGHT.path, 0, null],
      [THRESHOLD.path, 1, 0],
      [TRANSPORT.path, 2, null],
    ]);
    expect(fields[1]?.range).toBe(THRESHOLD.range);
  });

  it("are written out once one of them has a range of its own", () => {
    const own = setFieldRange(study, suggested, THRESHOLD.path, { to: 200 });
    expect(paths(own)).toEqual([WEIGHT.path, THRESHOLD.path, TRANSPORT.path]);
    expect(screenedFields(own, suggested, null)[1]?.range).toMatchObject({ from: 5, to: 200 });
  });

  it("stay as they are where somebody says so, and are all again without a word about them", () => {
    const fewer = setFieldVaries(study, suggested, WEIGHT.path, false);
    expect(paths(fewer)).toEqual([THRESHOLD.path, TRANSPORT.path]);
    expect(screenedFields(fewer, suggested, null)[0]?.at).toBeNull();
    expect(setFieldVaries(fewer, suggested, WEIGHT.path, true).vary).toEqual([]);
    const one = setFieldVaries(fewer, suggested, TRANSPORT.path, false);
    expect(setFieldVaries(one, suggested, THRESHOLD.path, false)).toBe(one);
  });
});
