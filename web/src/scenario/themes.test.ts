import { describe, expect, it } from "vitest";
import { FIRST } from "./first.ts";
import menu from "./menu.json";
import { FIGURES, PRESET_GROUPS, PRESET_TOUR, SCENARIOS, STATED_COMPARISONS } from "./presets.ts";
import { comparisonsOf, found, type Preset, themeGroups, withTour } from "./themes.ts";
import type { Scenario } from "./types.ts";

const presets = PRESET_GROUPS.flatMap((group) => group.presets);
const idsOf = (search: string) =>
  found(PRESET_GROUPS, search).flatMap((group) => group.presets.map(({ id }) => id));

describe("the menu", () => {
  it("begins with the scenario that the page opens with", () => {
    expect(presets[0]?.id).toBe(FIRST);
  });

  it("has every scenario of a figure or of its own list, and no theme without one", () => {
    const named = [
      ...menu.themes.flatMap(({ scenarios = [] }) => scenarios.map(({ scenario }) => scenario)),
      ...FIGURES.filter(({ theme }) => theme).flatMap(({ runs = [] }) =>
        runs.map(({ scenario }) => scenario),
      ),
    ];
    expect(new Set(presets.map(({ id }) => id))).toEqual(new Set(named));
    expect(PRESET_GROUPS.filter((group) => group.presets.length === 0)).toEqual([]);
  });

  it("knows the theme of every figure", () => {
    const titles = menu.themes.map(({ title }) => title);
    expect(FIGURES.filter(({ theme }) => theme && !titles.includes(theme))).toEqual([]);
  });

  it("leaves out no scenario but those that measure speed", () => {
    const shown = new Set(presets.map(({ id }) => id));
    const hidden = Object.keys(SCENARIOS).filter((id) => !shown.has(id));
    expect(hidden.filter((id) => !id.startsWith("bench-"))).toEqual([]);
  });

  it("names scenarios as one says them, not as headings of headings", () => {
    const names = new Set(presets.map(({ scenario }) => scenario.name));
    expect([...names].filter((name) => /: |, normal|, stressed|^Paper/.test(name))).toEqual([]);
  });

  it("lists a scenario once for each figure that it serves, by that figure's name", () => {
    const titles = presets.filter(({ id }) => id === "paper1-fig12a-qtcp").map(({ source }) => source);
    expect(titles).toEqual(["Paper 1, fig. 8", "Paper 1, fig. 12a", "Paper 1, fig. 21"]);
    const keys = presets.map(({ id, figure }) => `${figure} ${id}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("orders figures as a person reads their numbers", () => {
    const scenario = SCENARIOS[FIRST];
    const figure = (id: string) => ({ id, title: id, source: "", theme: "T", runs: [{ scenario: "s" }] });
    const groups = themeGroups(
      { themes: [{ title: "T", promise: "" }], tour: [] },
      [figure("fig10"), figure("fig9"), { ...figure("ref"), theme: "" }],
      scenario ? { s: scenario } : {},
    );
    expect(groups[0]?.presets.map(({ title }) => title)).toEqual(["fig9", "fig10"]);
  });
});

describe("the tour", () => {
  it("adds to the first theme what stands in the others", () => {
    const [first, ...others] = PRESET_TOUR;
    expect(first?.presets.map(({ id }) => id)).toEqual([FIRST, ...menu.tour]);
    expect(others).toEqual(PRESET_GROUPS.slice(1));
    expect(withTour([], menu.tour)).toEqual([]);
  });
});

describe("the search", () => {
  it("wants every word, in any order, in names, description, figure or theme", () => {
    expect(idsOf("dctcp fig12a")).toEqual(["paper1-fig12a-dctcp"]);
    expect(idsOf("GAIN convergence 0.125")).toEqual(["paper2-fig5-gain0.125"]);
    expect(idsOf("fig8 12a")).toEqual(["paper1-fig12a-qtcp"]);
    expect(idsOf("“nothing of the kind”")).toEqual([]);
  });

  it("finds a scenario by the name of each figure that it serves", () => {
    for (const figure of ["fig. 2", "fig. 3", "fig. 7"]) {
      expect(idsOf(`paper 2, ${figure}`), figure).toContain("paper2-fig7-qtcp");
    }
  });

  it("finds everything for nothing", () => {
    expect(idsOf("  ")).toHaveLength(presets.length);
  });
});

describe("the comparisons of a theme", () => {
  const presets = (ids: readonly string[], figure = "f"): Preset[] =>
    ids.map((id) => ({
      id,
      title: `Deadlines: ${id}`,
      source: "Fig.",
      figure,
      scenario: { name: id } as Scenario,
    }));
  const labels = (ids: readonly string[], figure?: string) =>
    comparisonsOf(presets(ids, figure)).map((item) => item.labels.join("|"));

  it("are the scenarios of a figure", () => {
    expect(labels(["a-dctcp", "a-qtcp"])).toEqual(["a-dctcp|a-qtcp"]);
  });

  it("are those that differ in their last word, where a figure has too many", () => {
    expect(labels(["n-dctcp", "n-qtcp", "s-dctcp", "s-qtcp", "x-qtcp"])).toEqual([
      "n-dctcp|n-qtcp",
      "s-dctcp|s-qtcp",
    ]);
  });

  it("are none of a single scenario, of too many, and of what belongs to no figure", () => {
    expect(labels(["a"])).toEqual([]);
    expect(labels(["a-1", "a-2", "a-3", "a-4"])).toEqual([]);
    expect(labels(["a-1", "a-2"], "")).toEqual([]);
  });

  it("say once what all of them share", () => {
    const named = (title: string) => ({ ...presets([title])[0], title }) as Preset;
    const [found] = comparisonsOf([named("Deadlines: stressed, DCTCP"), named("Deadlines: stressed, QTCP")]);
    expect(found?.title).toBe("Deadlines: stressed");
    expect(found?.labels).toEqual(["DCTCP", "QTCP"]);
  });

  it("begin with those that a figure states, with what its runs change", () => {
    const storage = PRESET_GROUPS.find(({ theme }) => theme.title === "Storage, end to end");
    const of = comparisonsOf(storage?.presets ?? [], STATED_COMPARISONS).filter(
      ({ source }) => source === "Paper 1, fig. 16",
    );
    expect(of.map(({ scenarios }) => scenarios.length)).toEqual([4, 2]);
    const four = of[0]?.scenarios ?? [];
    expect(four.map(({ classes, storage }) => [classes[0]?.transport, storage?.treatment])).toEqual([
      ["dctcp", "agnostic"],
      ["qtcp", "agnostic"],
      ["dctcp", "coordinated"],
      ["qtcp", "coordinated"],
    ]);
    expect(new Set(four.map(({ name }) => name)).size).toBe(4);
  });

  it("hold DCTCP, D2TCP and QTCP of fig. 15b together", () => {
    const deadlines = PRESET_GROUPS.find(({ theme }) => theme.title === "Deadlines under stress");
    const found = comparisonsOf(deadlines?.presets ?? []).filter(({ source }) => /15b/.test(source));
    expect(found).toHaveLength(4);
    for (const { scenarios } of found)
      expect(scenarios.map(({ classes }) => classes[0]?.transport)).toEqual(["dctcp", "d2tcp", "qtcp"]);
  });
});
