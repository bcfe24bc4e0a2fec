import { describe, expect, it, vi } from "vitest";
import type { Scenario } from "../../scenario/types.ts";
import type { Refusal } from "../files/opening.ts";
import type { Phase } from "./protocol.ts";
import { changed, frameOf, K, recorded, scenario, setUp, trapped } from "./testWorker.ts";

it("a scenario that is not to run by itself waits at its start", () => {
  const { session, last } = setUp({ autoplay: false });
  session.begin(scenario);
  expect(last("load")).toMatchObject({ playing: false, fromUs: 0 });
});

describe("while a run is being laid out", () => {
  it("playing and pausing are for that run, and so is its speed", () => {
    const { session, last, load, frame } = setUp();
    session.begin(scenario);
    load();
    frame(3000, "paused");
    session.seek(1000);
    session.toggle();
    session.setSpeed(50);
    expect(last("play")).toBeUndefined();
    const generation = load();
    expect(last("speed")).toMatchObject({ generation, speed: 50 });
    frame(900, "paused");
    expect(last("play")).toBeUndefined();
    frame(1000, "paused");
    expect(last("play")).toMatchObject({ generation });
  });

  it("a step goes on from where it is going", () => {
    const { session, last, load, frame } = setUp();
    session.begin(scenario);
    load();
    frame(3000, "paused");
    session.seek(1000);
    session.step(25);
    load();
    expect(last("load")).toMatchObject({ fromUs: 1025, playing: false });
  });
});

it("a run that is paused on its way stays where it is", () => {
  const { session, last, load, frame } = setUp();
  session.begin(scenario);
  load();
  frame(3000, "running");
  session.seek(2000);
  const generation = load();
  frame(500, "paused");
  expect(session.run.getState().phase).toBe("loading");
  session.pause();
  expect(last("pause")).toMatchObject({ generation });
  frame(600, "paused");
  expect(session.run.getState()).toMatchObject({ phase: "paused", nowUs: 600 });
});

it("a gesture that goes on while another scenario is opened changes the one that it was for", () => {
  const { session } = setUp();
  session.begin(scenario);
  session.change([{ path: "seed", value: 11 }], true);
  session.begin({ ...scenario, name: "Another" });
  expect(session.scenario.seed).toBe(scenario.seed);
  session.undo();
  expect(session.scenario.seed).toBe(11);
});

describe("opening another scenario", () => {
  const other: Scenario = { ...scenario, name: "Another" };
  const file = { kind: "file", file: new File([""], "other.json") } as const;
  const refusal: Refusal = { kind: "invalid", title: "t", sentence: "s", diagnostics: [] };

  it("is a step of undo: the edited one comes back, with its edits", () => {
    const { session, asked, last, load, frame } = setUp();
    void session.openFragment("");
    load();
    frame(3000, "running");
    session.change([{ path: "seed", value: 11 }]);
    const edited = session.scenario;
    session.begin(other);
    expect(session.scenario).toBe(other);
    session.undo();
    expect(session.scenario).toBe(edited);
    expect(last("load")).toMatchObject({ playing: true, fromUs: 0 });
    expect(asked()).toEqual(edited);
    session.redo();
    expect(session.scenario).toBe(other);
    session.undo();
    session.undo();
    session.undo();
    expect(session.scenario).toBe(scenario);
  });

  it("goes back and ahead by its visits", () => {
    const { session } = setUp();
    void session.openFragment("");
    const visit = () => session.store.getState().history.present.visit;
    const first = visit();
    session.change([{ path: "seed", value: 11 }]);
    const edited = session.scenario;
    session.begin(other);
    const second = visit();
    expect(session.revisit(first)).toBe(true);
    expect(session.scenario).toBe(edited);
    expect(session.revisit(second)).toBe(true);
    expect(session.scenario).toBe(other);
    expect(session.revisit("of another page")).toBe(false);
    expect(session.scenario).toBe(other);
  });

  it("from outside waits for the engine, and shows nothing of it before", async () => {
    const { session, asked, checks, last } = setUp();
    void session.openFragment("#2.abc");
    expect(last("load")).toBeUndefined();
    expect(session.run.getState().begun).toBe(false);
    checks[0]?.settle({ kind: "accepted", scenario: other });
    await vi.waitFor(() => expect(session.scenario).toBe(other));
    expect(session.store.getState().history.past).toEqual([]);
    expect(asked()).toEqual(other);
  });

  it("leaves scenario and run as they are when it is refused", async () => {
    const { session, checks, requests, load, frame } = setUp();
    void session.openFragment("");
    load();
    frame(3000, "running");
    const before = requests.length;
    const outcome = session.open(file);
    expect(session.scenario).toBe(scenario);
    checks[0]?.settle({ kind: "refused", refusal });
    expect(await outcome).toBe("refused");
    expect(session.scenario).toBe(scenario);
    expect(requests).toHaveLength(before);
    expect(session.run.getState()).toMatchObject({ refusal, phase: "running", nowUs: 3000 });
  });

  it("counts the latest of several", async () => {
    const { session, checks } = setUp();
    void session.openFragment("");
    const early = session.open(file);
    const late = session.open(file);
    checks[1]?.settle({ kind: "accepted", scenario: other });
    checks[0]?.settle({ kind: "refused", refusal });
    expect([await early, await late]).toEqual(["superseded", "opened"]);
    expect(session.scenario).toBe(other);
    expect(session.run.getState().refusal).toBeNull();
  });
});

describe("going back", () => {
  /** A run of twelve samples that stands at an instant. */
  function runTo(nowUs: number, phase: Phase) {
    const page = setUp();
    void page.session.openFragment("");
    const generation = page.load();
    const rows = Float64Array.from({ length: 12 }, (_, i) => (nowUs * (i + 1)) / 12);
    page.reply(frameOf(generation, nowUs, phase, rows));
    return page;
  }

  for (const phase of ["paused", "ended"] as const) {
    it(`and changing something there leaves the old future behind, of a run that is ${phase}`, () => {
      const { session, reply, last, load, frame } = runTo(6000, phase);
      const old = session.run.getState().view;
      session.seek(2100);
      expect(last("load")).toMatchObject({ fromUs: 2100, playing: false });
      const generation = load();
      frame(2100, "paused");
      expect(session.run.getState()).toMatchObject({ ghost: old, fork: null });
      session.change([{ path: K, value: 40 }]);
      reply(changed(generation, [recorded(2100, 40), recorded(4000, 90)], 1));
      expect(session.run.getState().fork).toEqual({ atUs: 2100, before: scenario });
      session.play();
      expect(last("play")?.generation).toBe(generation);
      frame(6000, "ended");
      expect(session.run.getState().ghost).toBe(old);
      session.dismissFork();
      expect(session.run.getState()).toMatchObject({ ghost: null, fork: null });
    });
  }

  it("is undone as far as the old future by as many steps as were made", () => {
    const { session, reply, load, frame } = runTo(6000, "ended");
    session.seek(2100);
    const generation = load();
    frame(2100, "paused");
    for (const value of [40, 50]) {
      session.change([{ path: K, value }]);
      reply(changed(generation, [recorded(2100, value)]));
    }
    session.undo();
    expect(session.run.getState().fork).not.toBeNull();
    session.undo();
    expect(session.run.getState().fork).toBeNull();
    expect(session.scenario).toBe(scenario);
  });

  it("is no fork once the run has passed its old future", () => {
    const { session, reply, load, frame } = runTo(3000, "paused");
    session.seek(2100);
    const generation = load();
    frame(2100, "paused");
    frame(3100, "running");
    session.change([{ path: K, value: 40 }]);
    reply(changed(generation, [recorded(3100, 40)]));
    expect(session.run.getState()).toMatchObject({ fork: null, ghost: null });
  });

  it("takes a change that is made on the way to the instant that it goes to", () => {
    const { session, last, load, frame } = runTo(6000, "ended");
    session.seek(2100);
    session.change([{ path: K, value: 40 }]);
    const generation = load();
    expect(session.shown().switch?.ecnThresholdPackets).toBe(40);
    frame(1900, "paused");
    expect(last("change")).toBeUndefined();
    frame(2100, "paused");
    expect(last("change")).toEqual({ kind: "change", generation, changes: [{ path: K, value: 40 }] });
  });

  it("by steps adds them up while the first is on its way", () => {
    const { session, last, load, frame } = runTo(3000, "running");
    session.stepBack(25);
    session.stepBack(25);
    load();
    expect(last("load")).toMatchObject({ fromUs: 2950, playing: false });
    load();
    frame(1900, "paused");
    session.seek(2975);
    expect(last("step")).toBeUndefined();
    expect(last("load")).toMatchObject({ fromUs: 2975 });
    load();
    session.stepBack(9000);
    expect(last("load")).toMatchObject({ fromUs: 0 });
  });

  it("by an event asks where that was, goes there and shows it; the next asks the new run", () => {
    const { session, reply, last, load } = runTo(6000, "paused");
    session.stepEventBack();
    const generation = session.run.getState().generation;
    expect(last("event")).toMatchObject({ generation, go: "back" });
    const event = { us: 5999.25, happenings: [{ what: "packet", node: 2 }] } as const;
    reply({ kind: "event", generation: generation - 1, go: "back", event });
    expect(last("load")).not.toMatchObject({ fromUs: 5999.25 });
    reply({ kind: "event", generation, go: "back", event });
    expect(last("load")).toMatchObject({ fromUs: 5999.25, playing: false });
    load();
    expect(session.run.getState().event).toEqual(event);
    session.stepEvent();
    expect(last("event")).toMatchObject({ generation: generation + 1, go: "on" });
  });
});

describe("what goes wrong", () => {
  it("drops frames of a run that was replaced", () => {
    const { session, reply, load, frame } = setUp();
    void session.openFragment("");
    load();
    frame(3000, "running");
    session.restart();
    load();
    reply(frameOf(1, 5000, "running"));
    expect(session.run.getState()).toMatchObject({ generation: 2, nowUs: 0 });
  });

  it("keeps scenario and charts when the engine traps, and can start again", () => {
    const { session, reply, last, load, frame } = setUp();
    void session.openFragment("");
    const generation = load();
    frame(3000, "running");
    const { view } = session.run.getState();
    reply(trapped(generation, 3000));
    expect(session.run.getState()).toMatchObject({ phase: "stopped", view });
    session.change([{ path: "seed", value: 11 }]);
    expect(last("load")?.generation).toBe(1);
    session.play();
    expect(last("load")?.generation).toBe(2);
    expect(session.run.getState().trapped).toBeNull();
  });

  it("says where the run stood when the worker cannot, and resumes by replaying up to there", () => {
    const { session, reply, last, load, frame } = setUp();
    void session.openFragment("");
    const generation = load();
    frame(3000, "running");
    reply(trapped(generation, null));
    expect(session.run.getState()).toMatchObject({ phase: "stopped", trapped: { nowUs: 3000 } });
    session.resume();
    expect(last("load")).toMatchObject({ generation: 2, fromUs: 3000, playing: true });
    load();
    expect(session.run.getState().trapped).toBeNull();
  });

  it("brings back a run whose worker has stopped answering, paused if it was", () => {
    vi.useFakeTimers();
    for (const phase of ["running", "paused"] as const) {
      const { session, last, load, frame } = setUp();
      void session.openFragment("");
      load();
      frame(3000, phase);
      vi.advanceTimersByTime(2000);
      expect(session.run.getState()).toMatchObject({ silent: true, nowUs: 3000 });
      session.resume();
      expect(session.run.getState().silent).toBe(false);
      expect(last("load")).toMatchObject({ generation: 2, fromUs: 3000, playing: phase === "running" });
    }
    vi.useRealTimers();
  });

  it("keeps what was changed while the engine was silent, and changes it where the run resumes", () => {
    vi.useFakeTimers();
    const { session, last, load, frame, requests } = setUp();
    void session.openFragment("");
    load();
    frame(3000, "running");
    vi.advanceTimersByTime(2000);
    session.change([{ path: K, value: 70 }]);
    session.change([{ path: K, value: 90 }]);
    requests.length = 0;
    session.resume();
    const generation = load();
    expect(session.run.getState().pending).toEqual({ [K]: 90 });
    frame(1000, "running");
    expect(last("change")).toBeUndefined();
    frame(3000, "running");
    expect(last("change")).toEqual({ kind: "change", generation, changes: [{ path: K, value: 90 }] });
    expect(session.run.getState().pending).toEqual({ [K]: 90 });
    vi.useRealTimers();
  });
});
