import { describe, expect, it } from "vitest";
import { PRESET_GROUPS, STATED_COMPARISONS } from "../../scenario/presets.ts";
import { comparisonsOf } from "../../scenario/themes.ts";
import { compareView, MAX_BASELINES } from "./compareView.ts";

const comparisons = PRESET_GROUPS.flatMap(({ presets }) => comparisonsOf(presets, STATED_COMPARISONS));

describe("the comparisons of the menu", () => {
  it("tell their runs apart by labels and by the names of scenarios", () => {
    for (const { title, labels, scenarios } of comparisons) {
      expect(new Set(labels).size, title).toBe(scenarios.length);
      expect(new Set(scenarios.map(({ name }) => name)).size, title).toBe(scenarios.length);
    }
  });

  it("are no more runs than stand side by side, and are kept in links", () => {
    const { write, read } = compareView.fields.baselines;
    expect(Math.max(...comparisons.map(({ scenarios }) => scenarios.length))).toBe(MAX_BASELINES + 1);
    for (const { title, scenarios } of comparisons) {
      const baselines = scenarios.slice(0, -1);
      expect(read(JSON.parse(JSON.stringify(write(baselines)))), title).toEqual(baselines);
    }
  });
});
