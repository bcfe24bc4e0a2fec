import { describe, expect, it } from "vitest";
import { firstStudy, withKind } from "../../workbench/study/studyEdit.ts";
import { ranking, suggested, THRESHOLD, TRANSPORT, WEIGHT } from "../../workbench/study/testStudy.ts";
import { fullOf, holdSetting, inSight, screenedSettings, setScreenedRange, varyToo } from "./sensitivity.ts";

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
  const rows = (of: typeof study) => screenedSettings(of, suggested, null).map(({ path, at }) => [path, at]);

  it("are those that the engine takes, over the ranges that it takes them over, then the others", () => {
    const { sensitivity } = suggested;
    const some = { ...suggested, sensitivity: { ...sensitivity, vary: sensitivity.vary.toSpliced(1, 1) } };
    const settings = screenedSettings(study, some, null);
    expect(settings.map(({ path, at }) => [path, at])).toEqual([
      [THRESHOLD.path, 0],
      [TRANSPORT.path, 1],
      [WEIGHT.path, null],
    ]);
    expect(settings[0]?.range).toMatchObject({ from: 70, to: 280 });
    expect(settings[1]?.values).toBe("QTCP, DCTCP");
    expect(settings[2]?.range).toBe(WEIGHT.range);
  });

  it("are written out once one of them has a range of its own", () => {
    const own = setScreenedRange(study, suggested, 0, { to: 200 });
    expect(paths(own)).toEqual([THRESHOLD.path, WEIGHT.path, TRANSPORT.path]);
    expect(screenedSettings(own, suggested, null)[0]?.range).toMatchObject({ from: 70, to: 200 });
  });

  it("stay as they are, or vary, as somebody says, and what the study has of its own is among them", () => {
    const own = { ...study, vary: [{ path: "classes[].gain", range: { from: 0.01, to: 0.2, count: 8 } }] };
    expect(rows(own)[0]).toEqual(["classes[].gain", 0]);
    const more = varyToo(own, suggested, [WEIGHT.path]);
    expect(paths(more)).toEqual(["classes[].gain", WEIGHT.path]);
    const fewer = holdSetting(more, suggested, 0);
    expect(paths(fewer)).toEqual([WEIGHT.path]);
    // Without any all would vary.
    expect(holdSetting(fewer, suggested, 0)).toBe(fewer);
  });
});
