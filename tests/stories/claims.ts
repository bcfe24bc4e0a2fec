import { describe, expect, it } from "vitest";
import { played } from "../../web/src/engine/run/played.ts";
import { claimsOf } from "../../web/src/run/claims.ts";
import { setPaths } from "../../web/src/scenario/path.ts";
import { SCENARIOS } from "../../web/src/scenario/presets.ts";
import { triesOf } from "../../web/src/scenario/story.ts";
import type { Scenario } from "../../web/src/scenario/types.ts";

/** Files that share the stories: each is run by a worker of its own, and takes as long as its simulations. */
const PARTS = 4;

const told = Object.entries(SCENARIOS).filter(([, { story }]) => story);
const outcome = (scenario: Scenario) => claimsOf(played(scenario), scenario.story?.claims ?? []);

/** What the stories claim comes true, and each claim turns in one of the tries. */
export const checkClaims = (part: number) =>
  describe("what stories claim", () => {
    it.each(told.filter((_, index) => index % PARTS === part))(
      "comes true in the run of %s, and turns in one of its tries",
      (_, scenario) => {
        const base = outcome(scenario);
        expect(base).not.toEqual([]);
        expect(base.filter(({ holds }) => !holds)).toEqual([]);
        // A try in which nothing is left to turn is not run, unless all are asked for.
        let unturned = base.map(({ metric }, index) => ({ metric, index }));
        for (const { changes } of triesOf(scenario, scenario)) {
          if (unturned.length === 0 && !process.env.FULL) break;
          const claims = outcome(setPaths(scenario, changes));
          expect(claims).toHaveLength(base.length);
          unturned = unturned.filter(({ index }) => claims[index]?.holds !== false);
        }
        expect(unturned).toEqual([]);
      },
      120_000,
    );
  });
