import { describe, expect, it } from "vitest";
import { ACTIONS } from "./actions.ts";
import { type Entry, matching } from "./paletteEntries.ts";

const entry = (kind: Entry["kind"], name: string, aside = "", more = ""): Entry => ({
  id: name,
  kind,
  name,
  aside,
  more,
  run: () => {},
});
const entries = [
  entry("Scenario", "Deadlines under stress: QTCP", "Paper 1, fig. 15b"),
  entry("Action", "Play or pause", "Space"),
  entry("Setting", "Link rate C", "Network"),
  entry("View", "Plan"),
];
const names = (search: string) => matching(entries, search).map(({ name }) => name);

describe("the palette", () => {
  it("finds what has every word, in its name or beside it", () => {
    expect(names("fig. 15b qtcp")).toEqual(["Deadlines under stress: QTCP"]);
    expect(names("setting rate")).toEqual(["Link rate C"]);
    expect(names("nothing of it")).toEqual([]);
  });

  it("puts first what begins with the word", () => {
    expect(names("pl")).toEqual(["Play or pause", "Plan"]);
    expect(names("")).toHaveLength(4);
  });

  it("has no two actions with the same key", () => {
    const keys = ACTIONS.flatMap((action) => action.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
