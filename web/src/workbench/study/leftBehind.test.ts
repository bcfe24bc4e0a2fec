// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { testScenario, testSession } from "../../panels/testSession.tsx";
import { comeBack, leave } from "./leftBehind.ts";
import { firstStudy, sweepOf, withKind } from "./studyEdit.ts";
import { searchStudy, suggested, THRESHOLD } from "./testStudy.ts";

const first = firstStudy(suggested);
if (!first) throw new Error("there is something to study");

describe("a study that is asked in another way", () => {
  it("is as it was left when it is asked so again, with the measures of now", () => {
    const { session } = testSession();
    session.begin(testScenario);
    const mine = { ...first, vary: [{ path: THRESHOLD.path, values: [5, 20] }] };
    const matters = withKind(mine, "sensitivity", suggested);
    leave(session, mine, matters);
    const more = { ...matters, measures: [...matters.measures, { title: "Drops", value: "network.drops" }] };
    const back = comeBack(session, withKind(more, "sweep", suggested));
    expect(back.vary).toEqual(mine.vary);
    expect(back.measures.map(({ title }) => title)).toContain("Drops");
  });

  it("is forgotten where another scenario is opened, and not kept of its own kind", () => {
    const { session } = testSession();
    session.begin(testScenario);
    const sweep = sweepOf(searchStudy, { path: THRESHOLD.path, values: [1] }, suggested);
    leave(session, sweep, first);
    expect(comeBack(session, first)).toBe(first);
    leave(session, searchStudy, sweep);
    session.begin({ ...testScenario, name: "Another" });
    const search = withKind(first, "search", suggested);
    expect(comeBack(session, search)).toBe(search);
  });
});
