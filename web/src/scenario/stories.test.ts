import { describe, expect, it } from "vitest";
import { PRESET_GROUPS } from "./presets.ts";
import { fieldAt } from "./schema.ts";
import { triesOf } from "./story.ts";

/** The scenarios of the menu by their names, each once. */
const presets = [
  ...new Map(PRESET_GROUPS.flatMap((group) => group.presets).map((preset) => [preset.id, preset])).values(),
];

describe.each(presets)("the story of $id", ({ scenario }) => {
  const { text = "", tries = [] } = scenario.story ?? {};

  it("is short, and offers something to try", () => {
    expect(text).toMatch(/\.$/);
    expect(text.length).toBeLessThanOrEqual(320);
    expect(tries).not.toEqual([]);
  });

  it("names tries briefly", () => {
    for (const { label } of tries) expect(label).toMatch(/^\p{Lu}.{0,39}$/u);
  });

  it("tries fields that there are, and something that is not so already", () => {
    for (const { path } of tries.flatMap(({ changes }) => changes)) fieldAt(path, scenario);
    expect(triesOf(scenario, scenario).filter(({ on }) => on)).toEqual([]);
  });
});
