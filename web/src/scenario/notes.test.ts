import { describe, expect, it } from "vitest";
import { withName, withoutNodes } from "./drawing.ts";
import { firstScenario } from "./first.ts";
import { type Note, notesOf, withNote, withoutNote } from "./notes.ts";
import type { Scenario } from "./types.ts";

const notes: readonly Note[] = [
  { text: "of a node", node: "h3" },
  { text: "late", atUs: 900 },
  { text: "early, at a node", atUs: 100, node: "h3" },
  { text: "of another", node: "sw0" },
];

const drawn = {
  ...firstScenario,
  notes,
  storage: { servers: [] },
  workloads: [],
  topology: {
    shape: {
      kind: "custom",
      nodes: ["h0", "h1", "h3", "sw0"].map((name) => ({ name, role: name === "sw0" ? "switch" : "host" })),
      links: ["h0", "h1", "h3"].map((from) => ({ from, to: "sw0" })),
    },
  },
} as unknown as Scenario;

const scenarioOf = (edited: object) => (edited as { readonly scenario: Scenario }).scenario;

describe("notes", () => {
  it("are numbered by their instants, those of none last", () => {
    expect(notesOf(drawn).map(({ number, index }) => [number, index])).toEqual([
      [1, 2],
      [2, 1],
      [3, 0],
      [4, 3],
    ]);
  });

  it("are added, changed and taken out; none is no field", () => {
    const note = { text: "x", atUs: 5 };
    const one = withNote(firstScenario, null, note);
    expect(one.notes).toEqual([note]);
    expect(withNote(one, 0, { text: "y", node: "h0" }).notes).toEqual([{ text: "y", node: "h0" }]);
    expect(withoutNote(one, 0)).not.toHaveProperty("notes");
  });

  it("follow a node that gets another name", () => {
    expect(scenarioOf(withName(drawn, "h3", "server")).notes?.map(({ node }) => node)).toEqual([
      "server",
      undefined,
      "server",
      "sw0",
    ]);
  });

  it("go with a node, but for what is said of an instant", () => {
    expect(scenarioOf(withoutNodes(drawn, new Set(["h3"]))).notes).toEqual([
      { text: "late", atUs: 900 },
      { text: "early, at a node", atUs: 100 },
      { text: "of another", node: "sw0" },
    ]);
  });
});
