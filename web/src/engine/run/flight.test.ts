import { describe, expect, it, vi } from "vitest";
import { Flight } from "./flight.ts";

const change = (value: number) => [{ path: "k", value }];

function setUp() {
  const flight = new Flight();
  const acts: string[] = [];
  const turn = (kind: "edit" | "undo" | "travel", name: string = kind) =>
    flight.inTurn({ kind, act: () => void acts.push(name) });
  const send = (value: number) => flight.send({ kind: "changes", changes: change(value) });
  const answer = () => {
    flight.done();
    flight.proceed();
  };
  const refuse = () => {
    flight.refused();
    flight.proceed();
  };
  return { flight, acts, turn, send, answer, refuse };
}

describe("what waits for an answer", () => {
  it("acts at once where nothing is under way, and in turn where something is", () => {
    const { acts, turn, send, answer } = setUp();
    turn("edit", "first");
    send(1);
    send(2);
    turn("edit", "second");
    turn("travel", "third");
    expect(acts).toEqual(["first"]);
    answer();
    expect(acts).toEqual(["first"]);
    answer();
    expect(acts).toEqual(["first", "second", "third"]);
  });

  it("waits on if what acts before it sends something itself", () => {
    const { flight, acts, turn, send, answer } = setUp();
    send(1);
    flight.inTurn({ kind: "changes", changes: change(2), act: () => send(2) });
    turn("undo");
    answer();
    expect(acts).toEqual([]);
    answer();
    expect(acts).toEqual(["undo"]);
  });

  it("waits for changes that are kept for another instant", () => {
    const { flight, acts, turn } = setUp();
    flight.keep(change(1));
    flight.keep(change(2));
    turn("undo");
    expect(flight.release()).toEqual([change(1), change(2)]);
    flight.proceed();
    expect(acts).toEqual(["undo"]);
  });
});

describe("an undo that waits", () => {
  it("falls away with the change that it was for, if that is refused", () => {
    const { acts, turn, send, refuse } = setUp();
    send(1);
    turn("undo");
    refuse();
    expect(acts).toEqual([]);
  });

  it("stays where a change before the one that it is for is refused", () => {
    const { acts, turn, send, answer, refuse } = setUp();
    send(1);
    send(2);
    turn("undo");
    refuse();
    answer();
    expect(acts).toEqual(["undo"]);
  });

  it("of an edit stays whatever becomes of the changes before", () => {
    const { acts, turn, send, refuse } = setUp();
    send(1);
    turn("edit");
    turn("undo");
    refuse();
    expect(acts).toEqual(["edit", "undo"]);
  });

  it("is taken back by a redo, and falls away when the engine is gone; an edit stays", () => {
    const { flight, acts, turn, send } = setUp();
    send(1);
    turn("undo");
    expect(flight.takeBackUndo()).toBe(true);
    expect(flight.takeBackUndo()).toBe(false);
    turn("undo");
    turn("edit");
    flight.lost();
    expect(acts).toEqual(["edit"]);
  });
});

it("tells the latest value of everything under way", () => {
  const { flight, send } = setUp();
  send(1);
  flight.keep([{ path: "seed", value: 7 }]);
  flight.inTurn({ kind: "changes", changes: change(3), act: vi.fn() });
  expect(flight.pending).toEqual({ k: 3, seed: 7 });
  flight.leave();
  expect(flight.pending).toEqual({});
});

it("keeps what a silent engine was sent for the one that takes its place", () => {
  const { flight, send } = setUp();
  send(1);
  send(2);
  flight.keepSent();
  expect(flight.release()).toEqual([change(1), change(2)]);
});
