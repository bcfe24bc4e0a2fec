import { describe, expect, it } from "vitest";
import { claimsOf } from "../run/claims.ts";
import { setPaths } from "../scenario/path.ts";
import { SCENARIOS } from "../scenario/presets.ts";
import { triesOf } from "../scenario/story.ts";
import type { Scenario } from "../scenario/types.ts";
import { played } from "./played.ts";

const told = Object.entries(SCENARIOS).filter(([, { story }]) => story);
const claiming = told.filter(([, { story }]) => (story?.claims ?? []).length > 0);
const outcome = (scenario: Scenario) => claimsOf(played(scenario), scenario.story?.claims ?? []);

describe("what stories claim", () => {
  it("is something in every story", () => expect(claiming).toHaveLength(told.length));

  it.each(claiming)(
    "comes true in the run of %s, and turns in one of its tries",
    (_, scenario) => {
      const base = outcome(scenario);
      expect(base.filter(({ holds }) => !holds)).toEqual([]);
      const tried = triesOf(scenario, scenario).map(({ changes }) => outcome(setPaths(scenario, changes)));
      for (const claims of tried) expect(claims).toHaveLength(base.length);
      base.forEach((claim, i) => {
        expect(
          tried.some((claims) => claims[i]?.holds === false),
          claim.metric,
        ).toBe(true);
      });
    },
    120_000,
  );
});
