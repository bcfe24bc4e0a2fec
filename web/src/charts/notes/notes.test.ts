import { describe, expect, it } from "vitest";
import { textWidth } from "../drawing/surface.ts";
import { THEME as testTheme } from "../drawing/testTheme.ts";
import type { NoteMark } from "../types.ts";
import { noteGroups, notesWithin, wrapped } from "./notes.ts";

const note = (number: number, timeUs: number | null): NoteMark => ({ number, text: "x", timeUs, node: null });

describe("the notes of a chart", () => {
  it("are those of its stretch of time", () => {
    const notes = [note(1, 0), note(2, 500), note(3, 1001), note(4, null)];
    expect(notesWithin(notes, [100, 1000]).map(({ number }) => number)).toEqual([2]);
  });

  it("share a mark where marks would cover each other", () => {
    const notes = [note(1, 100), note(2, 140), note(3, 160), note(4, 900)];
    const groups = noteGroups(notes, [0, 1000], 0.05).map((group) => group.map(({ number }) => number));
    expect(groups).toEqual([[1, 2], [3], [4]]);
    expect(noteGroups(notes, [90, 170], 0.05)).toHaveLength(3);
  });
});

describe("a text in lines", () => {
  it("keeps every word, and no line is wider than the room", () => {
    const text = `All classes are near their share ${"long".repeat(30)} and stay there.`;
    const lines = wrapped(text, testTheme, 120);
    expect(lines.length).toBeGreaterThan(3);
    expect(Math.max(...lines.map((line) => textWidth(line, testTheme)))).toBeLessThanOrEqual(120);
    expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
  });
});
