import { describe, expect, it } from "vitest";
import { shownBy } from "../charts/registry.ts";
import { firstScenario } from "../scenario/first.ts";
import { PRESET_GROUPS } from "../scenario/presets.ts";
import { compareView } from "../workbench/state/compareView.ts";
import { exploreView, openingCharts } from "../workbench/state/exploreView.ts";
import { Views } from "../workbench/view/views.ts";
import { VIEWS } from "./registry.ts";

const presets = PRESET_GROUPS.flatMap((group) => group.presets);
const subjects = (views: Views) => views.stateOf(exploreView).charts.map(({ subject }) => subject);

describe("how a scenario opens", () => {
  it.each(presets)("is as its story has it: $figure $id", ({ scenario }) => {
    const named = scenario.story?.charts ?? [];
    const views = new Views(VIEWS);
    // Another scenario was there before, shown in another way.
    views.begin(firstScenario);
    views.change(exploreView, { links: "classes", tables: true });
    views.begin(scenario);
    const shown = subjects(views);
    expect(shown.slice(0, named.length)).toEqual(named);
    expect(new Set(shown).size).toBe(3);
    for (const id of shown) expect(shownBy(id)).toBeDefined();
    expect(views.stateOf(exploreView)).toMatchObject({ links: "utilisation", tables: false });
    expect(views.linked()).toBe("");
  });

  it("does not take the charts of the first scenario to the next", () => {
    const views = new Views(VIEWS);
    views.begin(firstScenario);
    expect(subjects(views)).toEqual(["share", "inDevice", "queue"]);
    const { story: _, ...silent } = firstScenario;
    views.begin(silent);
    expect(subjects(views)).toEqual(["throughput", "quality", "queue"]);
  });

  it("is told by a link only where it was changed", () => {
    const views = new Views(VIEWS);
    views.begin(firstScenario);
    views.change(exploreView, { charts: openingCharts({ ...firstScenario, story: { text: "" } }) });
    const json = views.linked();
    views.begin(firstScenario);
    views.restore({ kind: "json", json });
    expect(subjects(views)).toEqual(["throughput", "quality", "queue"]);
    views.restore({ kind: "none" });
    expect(subjects(views)).toEqual(["share", "inDevice", "queue"]);
  });

  it("goes on with a comparison, and leaves every other view", () => {
    const views = new Views(VIEWS);
    views.begin(firstScenario);
    views.show(compareView);
    views.begin(firstScenario);
    expect(views.store.getState().current).toBe(exploreView);
    views.change(compareView, { baselines: [firstScenario] });
    views.show(compareView);
    views.begin(firstScenario);
    expect(views.store.getState().current).toBe(compareView);
    expect(views.stateOf(compareView).baselines).toEqual([firstScenario]);
  });

  it("ignores names of charts that there are not", () => {
    expect(openingCharts({ ...firstScenario, story: { text: "", charts: ["nonsense", "queue"] } })).toEqual([
      { subject: "queue", by: "class" },
      { subject: "throughput", by: "class" },
      { subject: "quality", by: "class" },
    ]);
  });
});
