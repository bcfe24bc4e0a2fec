import { describe, expect, it } from "vitest";
import { fullOf, holdSetting, inSight, screenedSettings, setScreenedRange, varyToo } from "./sensitivity.ts";
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

describe("the settings of a sensitivity", () => {
  const rows = (of: typeof study, table: typeof sweepTable | null = null) =>
    screenedSettings(of, suggested, table).map(({ path, at }) => [path, at]);

  it("are all that have an effect, over the suggested ranges", () => {
    expect(rows(study)).toEqual([
      [WEIGHT.path, 0],
      [THRESHOLD.path, 1],
      [TRANSPORT.path, 2],
    ]);
    expect(screenedSettings(study, suggested, null)[1]?.range).toBe(THRESHOLD.range);
    expect(screenedSettings(study, suggested, null)[2]?.values).toBe("QTCP, DCTCP");
  });

  it("are those that the engine takes of them, once it has", () => {
    expect(rows(study, sweepTable)).toEqual([
      [THRESHOLD.path, 0],
      [WEIGHT.path, null],
      [TRANSPORT.path, null],
    ]);
  });

  it("are written out once one of them has a range of its own", () => {
    const own = setScreenedRange(study, suggested, null, 1, { to: 200 });
    expect(paths(own)).toEqual([WEIGHT.path, THRESHOLD.path, TRANSPORT.path]);
    expect(screenedSettings(own, suggested, null)[1]?.range).toMatchObject({ from: 5, to: 200 });
  });

  it("stay as they are, or vary, as somebody says, and what the study has of its own is among them", () => {
    const own = { ...study, vary: [{ path: "classes[].gain", range: { from: 0.01, to: 0.2, count: 8 } }] };
    expect(rows(own)[0]).toEqual(["classes[].gain", 0]);
    const more = varyToo(own, suggested, null, [WEIGHT.path]);
    expect(paths(more)).toEqual(["classes[].gain", WEIGHT.path]);
    const fewer = holdSetting(more, suggested, null, 0);
    expect(paths(fewer)).toEqual([WEIGHT.path]);
    // Without any all would vary.
    expect(holdSetting(fewer, suggested, null, 0)).toBe(fewer);
  });
});
