import { describe, expect, it } from "vitest";
import { keepOn, keptOn, removeFrom, runFrom, type SavedRun, type Shelf } from "./saved.ts";

/** A shelf in memory, which holds whatever is put on it. */
function shelfOf(...values: unknown[]): Shelf & { readonly held: Map<IDBValidKey, unknown> } {
  const held = new Map<IDBValidKey, unknown>(values.map((value, key) => [key, value]));
  return {
    held,
    entries: async () => [...held],
    put: async (run) => void held.set(run.id, run),
    remove: async (key) => void held.delete(key),
  };
}

const run = (id: string, savedAt: number): SavedRun => ({
  id,
  name: `Run ${id}`,
  savedAt,
  scenario: "{}",
  view: "",
  seed: 7,
  engineVersion: "0.1.0",
  digest: null,
});

/** A shelf on which everything fails in one way. */
function failing(name: string, message = ""): Shelf {
  const fail = () => Promise.reject(new DOMException(message, name));
  return { entries: fail, put: fail, remove: fail };
}

describe("saved runs", () => {
  it("come back as they were, the latest first", async () => {
    const shelf = shelfOf();
    await keepOn(shelf, run("a", 1));
    await keepOn(shelf, run("b", 2));
    expect(await keptOn(shelf)).toEqual({ runs: [run("b", 2), run("a", 1)], broken: [] });
  });

  it("take the place of the one with their id, and leave when they are removed", async () => {
    const shelf = shelfOf();
    await keepOn(shelf, run("a", 1));
    await keepOn(shelf, { ...run("a", 1), name: "Other" });
    expect((await keptOn(shelf)).runs.map(({ name }) => name)).toEqual(["Other"]);
    await removeFrom(shelf, "a");
    expect((await keptOn(shelf)).runs).toEqual([]);
  });

  it.each([
    ["nothing", null],
    ["a text", "run"],
    ["an empty object", {}],
    ["a scenario that is no text", { ...run("a", 1), scenario: { name: "x" } }],
    ["a time that is none", { ...run("a", 1), savedAt: Number.NaN }],
    ["a digest that is a number", { ...run("a", 1), digest: 5 }],
  ])("are told from %s", async (_, value) => {
    expect(runFrom(value)).toBeNull();
    expect(await keptOn(shelfOf(value, run("b", 2)))).toEqual({ runs: [run("b", 2)], broken: [0] });
  });

  it("carry nothing that is not theirs", () => {
    expect(runFrom({ ...run("a", 1), more: "x" })).toEqual(run("a", 1));
  });

  it.each([
    [
      "QuotaExceededError",
      "“Run a” was not saved: this browser has no more room for this page. Delete a saved run.",
    ],
    [
      "SecurityError",
      "“Run a” was not saved: this browser keeps nothing for this page, as in a private window.",
    ],
    ["VersionError", "“Run a” was not saved: a newer QoScope has saved runs here. Reload the page."],
    ["UnknownError", "“Run a” was not saved: the browser says disk full"],
  ])("say in a sentence why they are not saved: %s", async (name, sentence) => {
    await expect(keepOn(failing(name, "disk full"), run("a", 1))).rejects.toThrow(sentence);
  });

  it("say when they cannot be read or deleted", async () => {
    await expect(keptOn(failing("SecurityError"))).rejects.toThrow(/^The saved runs could not be read: /);
    await expect(removeFrom(failing("SecurityError"), "a")).rejects.toThrow(/^It was not deleted: /);
  });
});
