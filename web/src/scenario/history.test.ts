import { describe, expect, it } from "vitest";
import { moveTo, record, redo, startHistory, undo, without } from "./history.ts";

const abc = record(record(startHistory("a"), "b"), "c");

describe("history", () => {
  it("undoes and redoes step by step, and stays at its ends", () => {
    expect(undo(abc).present).toBe("b");
    const first = undo(undo(abc));
    expect(first.present).toBe("a");
    expect(undo(first)).toBe(first);
    expect(redo(redo(first))).toEqual(abc);
    expect(redo(abc)).toBe(abc);
  });

  it("drops the undone future on a new edit", () => {
    const history = record(undo(abc), "d");
    expect(redo(history).present).toBe("d");
    expect(undo(history).present).toBe("b");
  });

  it("goes to the last state that matches, back and ahead", () => {
    const history = record(record(abc, "B"), "d");
    const isB = (state: string) => state.toLowerCase() === "b";
    expect(moveTo(history, isB)).toMatchObject({ past: ["a", "b", "c"], present: "B", future: ["d"] });
    expect(moveTo(undo(undo(undo(undo(history)))), isB)?.present).toBe("B");
    expect(moveTo(undo(undo(undo(history))), isB)?.present).toBe("b");
    expect(moveTo(history, (state) => state === "x")).toBeNull();
  });

  it("leaves a state out wherever it stands", () => {
    expect(without(abc, "c")).toEqual({ past: ["a"], present: "b", future: [] });
    expect(without(abc, "a")).toEqual({ past: ["b"], present: "c", future: [] });
    expect(without(undo(abc), "c")).toEqual({ past: ["a"], present: "b", future: [] });
    expect(without(undo(abc), "b")).toEqual({ past: [], present: "a", future: ["c"] });
    expect(without(undo(undo(abc)), "a")).toEqual({ past: [], present: "b", future: ["c"] });
    expect(without(startHistory("a"), "a")).toBeNull();
  });
});
