// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { testSession } from "../../panels/testSession.tsx";
import { ACTIONS } from "../../workbench/actions.ts";
import { Views } from "../../workbench/view/views.ts";
import { VIEWS } from "../registry.ts";
import { actionEntries, type Entry, matching, viewEntries } from "./paletteEntries.ts";

const entry = (kind: Entry["kind"], name: string, aside = "", more = ""): Entry => ({
  id: name,
  kind,
  name,
  aside,
  more,
  run: () => {},
});
const entries = [
  entry("Scenario", "Deadlines under stress with QTCP", "Paper 1, fig. 15b"),
  entry("Action", "Play or pause", "Space"),
  entry("Setting", "Link rate C", "Network"),
  entry("View", "Plan"),
];
const names = (search: string) => matching(entries, search).map(({ name }) => name);

describe("the palette", () => {
  it("finds what has every word, in its name or beside it", () => {
    expect(names("fig. 15b qtcp")).toEqual(["Deadlines under stress with QTCP"]);
    expect(names("setting rate")).toEqual(["Link rate C"]);
    expect(names("nothing of it")).toEqual([]);
  });

  it("puts first what begins with the word", () => {
    expect(names("pl")).toEqual(["Play or pause", "Plan"]);
    expect(names("")).toHaveLength(4);
  });

  it("finds what people look for by other words", () => {
    const views = new Views(VIEWS);
    const { session } = testSession();
    const known = [...viewEntries(views), ...actionEntries(session, views, true)];
    const ids = (search: string) => matching(known, search).map(({ id }) => id);
    expect(ids("garbage collection")).toContain("view storage");
    expect(ids("tail latency")).toContain("view explore");
    expect(ids("embed")).toContain("action share");
    expect(ids("recommend")).toContain("action focusThreshold");
  });

  it("has no two actions with the same key", () => {
    const keys = ACTIONS.flatMap((action) => action.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
