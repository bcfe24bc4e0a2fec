import { describe, expect, it } from "vitest";
import { record, redo, startHistory, undo } from "./history.ts";

describe("history", () => {
  it("undoes and redoes step by step", () => {
    let history = record(record(startHistory("a"), "b"), "c");
    history = undo(history);
    expect(history.present).toBe("b");
    history = undo(undo(history));
    expect(history.present).toBe("a");
    expect(redo(redo(history)).present).toBe("c");
  });

  it("makes one step of one gesture", () => {
    let history = startHistory(140);
    for (const value of [120, 100, 80]) history = record(history, value, "drag 1");
    expect(undo(history).present).toBe(140);
    history = record(history, 60, "drag 2");
    expect(undo(history).present).toBe(80);
  });

  it("drops the undone future on a new edit", () => {
    const history = record(undo(record(startHistory("a"), "b")), "c");
    expect(redo(history).present).toBe("c");
    expect(undo(history).present).toBe("a");
  });
});
