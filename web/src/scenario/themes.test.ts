import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/three-writers.json";
import { setPath } from "./path.ts";
import { PRESET_GROUPS, PRESETS } from "./presets.ts";
import { found, type Preset, splitName, themeGroups, withTour } from "./themes.ts";
import type { Scenario } from "./types.ts";

const scenario = threeWriters as unknown as Scenario;

/** A preset made of three writers with some values set. */
const preset = (id: string, values: Readonly<Record<string, unknown>> = {}, name = id): Preset => ({
  id,
  scenario: Object.entries({ ...values, name }).reduce(
    (result, [path, value]) => setPath(result, path, value),
    scenario,
  ),
});

const themeOf = (item: Preset) => themeGroups([item])[0]?.theme.title;

describe("themes", () => {
  it.each<[string, Preset]>([
    ["Start here", preset("three-writers")],
    ["Shares at 100 Gb/s", preset("paper1-fig8")],
    ["Shares at 10 Gb/s", preset("paper2-fig2")],
    ["Arriving and non-cooperating flows", preset("paper1-fig14b", { "qos.adaptToInterference": true })],
    ["Deadlines under stress", preset("paper1-fig15b-normal-qtcp", { "classes[0].latencyTargetUs": 5000 })],
    ["Coexistence of TCP and RDMA", preset("paper1-fig18b", { "classes[0].transport": "dcqcn" })],
    ["RDMA, incast and PFC", preset("bench-incast-16-pfc", { "switch.buffering": "pfc" })],
    ["Urgent memory traffic", preset("paper1-fig20-write-priority", { "classes[0].priority": 1 })],
    ["Urgent memory traffic", preset("paper1-fig20-write-nopriority")],
    ["Initial rates (DIRS)", preset("paper3-fig5a-dcqcn")],
    ["Initial rates (DIRS)", preset("something-new", { "classes[0].dirs.enabled": true })],
  ])("%s", (title, item) => {
    expect(themeOf(item)).toBe(title);
  });

  it("hold every scenario that comes with the page, once", () => {
    const grouped = PRESET_GROUPS.flatMap((group) => group.presets.map(({ id }) => id));
    expect(grouped.toSorted()).toEqual(PRESETS.map(({ id }) => id).toSorted());
    expect(PRESET_GROUPS[0]?.presets[0]?.id).toBe("three-writers");
  });
});

describe("the tour", () => {
  it("adds to the first theme what stands in the others, where it is there", () => {
    const [first, ...others] = withTour(PRESET_GROUPS);
    const ids = first?.presets.map(({ id }) => id) ?? [];
    expect(ids[0]).toBe("three-writers");
    expect(ids).toContain("paper1-fig15b-stressed-qtcp");
    expect(new Set(ids).size).toBe(ids.length);
    expect(others).toEqual(PRESET_GROUPS.slice(1));
    expect(withTour([])).toEqual([]);
  });
});

describe("the search", () => {
  const groups = themeGroups([
    preset(
      "paper1-fig15b-stressed-qtcp",
      { "classes[0].latencyTargetUs": 5000 },
      "Deadlines, stressed, QTCP",
    ),
    preset("paper1-fig8", {}, "Model and simulation"),
  ]);
  const ids = (search: string) => found(groups, search).flatMap((group) => group.presets.map(({ id }) => id));

  it("wants every word, in any order, in name, description or theme", () => {
    expect(ids("qtcp STRESSED")).toEqual(["paper1-fig15b-stressed-qtcp"]);
    expect(ids("deadlines")).toEqual(["paper1-fig15b-stressed-qtcp"]);
    expect(ids("fig8")).toEqual(["paper1-fig8"]);
    expect(ids("fig8 stressed")).toEqual([]);
  });

  it("finds everything for nothing", () => {
    expect(ids("  ")).toHaveLength(2);
  });
});

describe("names", () => {
  it("are told apart from where they come from", () => {
    expect(splitName("Paper 1, fig. 15b: deadlines, normal, QTCP")).toEqual({
      source: "Paper 1, fig. 15b",
      title: "Deadlines, normal, QTCP",
    });
    expect(splitName("Paper 3, figs. 5a and 6a: writes like Tencent’s, DIRS").source).toBe(
      "Paper 3, figs. 5a and 6a",
    );
    expect(splitName("Three writers, one storage server")).toEqual({
      source: "",
      title: "Three writers, one storage server",
    });
  });
});
