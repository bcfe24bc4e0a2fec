import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Scenario } from "../../scenario/types.ts";
import type { RunRequest } from "./protocol.ts";
import type { Session } from "./session.ts";
import { changed, K, loaded, recorded, scenario, setUp, trapped } from "./testWorker.ts";

describe("what a change does", () => {
  it("changes a live field under way at once and records it in the scenario", () => {
    const { session, reply, last, load, frame } = setUp();
    void session.openFragment("");
    const generation = load();
    frame(3000, "running");
    session.change([{ path: K, value: 40 }]);
    expect(last("change")).toMatchObject({ changes: [{ path: K, value: 40 }] });
    expect(session.shown().switch?.ecnThresholdPackets).toBe(40);
    expect(session.scenario.timeline).toBeUndefined();
    reply(changed(generation, [recorded(3001, 40)]));
    expect(session.scenario).toMatchObject({
      switch: { ecnThresholdPackets: 35 },
      timeline: [recorded(3001, 40)],
    });
    expect(session.shown().switch?.ecnThresholdPackets).toBe(40);
    expect(session.run.getState().pending).toEqual({});
  });

  it("edits the scenario and restarts when the field cannot change live", () => {
    const { session, last, load, frame } = setUp();
    void session.openFragment("");
    load();
    frame(3000, "running");
    session.change([{ path: "seed", value: 11 }]);
    expect(session.scenario.seed).toBe(11);
    expect(last("load")).toMatchObject({ generation: 2, fromUs: 0, playing: true });
  });

  it("edits the scenario at time 0 and after the end", () => {
    for (const [nowUs, phase] of [
      [0, "paused"],
      [6000, "ended"],
    ] as const) {
      const { session, last, load, frame } = setUp();
      void session.openFragment("");
      load();
      frame(nowUs, phase);
      session.change([{ path: K, value: 40 }]);
      expect(session.scenario.switch?.ecnThresholdPackets).toBe(40);
      expect(session.scenario.timeline).toBeUndefined();
      expect(last("load")).toMatchObject({ generation: 2, playing: phase === "ended" });
    }
  });

  it("edits the scenario and restarts wherever the run is, where every change is to hold from the start on", () => {
    const { session, last, load, frame } = setUp({ restarts: true });
    void session.openFragment("");
    load();
    frame(3000, "running");
    session.change([{ path: K, value: 40 }]);
    expect(last("change")).toBeUndefined();
    expect(session.scenario.switch?.ecnThresholdPackets).toBe(40);
    expect(session.scenario.timeline).toBeUndefined();
    expect(last("load")).toMatchObject({ generation: 2, fromUs: 0, playing: true });
  });

  it("takes several live fields of one action as one change", () => {
    const { session, requests, load, frame } = setUp();
    void session.openFragment("");
    load();
    frame(3000, "running");
    const changes = [
      { path: K, value: 40 },
      { path: "switch.bufferPackets", value: 500 },
    ];
    session.change(changes);
    expect(requests.filter((request) => request.kind === "change")).toMatchObject([{ changes }]);
  });
});

describe("what a scenario tells its readers", () => {
  const notes: NonNullable<Scenario["notes"]> = [{ text: "Look here.", atUs: 700 }];
  const annotated: Scenario = { ...scenario, name: "Mine", story: { text: "Look." }, notes };
  const annotate = (session: Session, part: Partial<Scenario>) =>
    session.edit({ ...session.scenario, ...part });

  it("is edited and undone while the run goes on", () => {
    const { session, requests, reply, last, load, frame } = setUp();
    void session.openFragment("");
    const generation = load();
    frame(3000, "running");
    const loads = requests.filter(({ kind }) => kind === "load").length;
    session.edit(annotated);
    expect(last("annotate")).toEqual({ kind: "annotate", generation, scenario: JSON.stringify(annotated) });
    reply({ kind: "annotated", generation, reading: { hash: "cafe" } });
    expect(session.scenario).toBe(annotated);
    session.undo();
    expect(session.scenario).toBe(scenario);
    expect(last("annotate")).toMatchObject({ scenario: JSON.stringify(scenario) });
    reply({ kind: "annotated", generation, reading: { hash: "0" } });
    session.redo();
    expect(session.scenario).toBe(annotated);
    reply({ kind: "annotated", generation, reading: { hash: "cafe" } });
    frame(3100, "running");
    expect(session.run.getState()).toMatchObject({ generation, nowUs: 3100, phase: "running" });
    expect(session.run.getState().view?.layout.hash).toBe("cafe");
    expect(requests.filter(({ kind }) => kind === "load")).toHaveLength(loads);
  });

  it("comes to the same instant with a run that is being laid out", () => {
    const { session, asked, last, load, frame } = setUp();
    void session.openFragment("");
    load();
    frame(3000, "running");
    session.seek(1000);
    annotate(session, { notes });
    expect(last("annotate")).toBeUndefined();
    load();
    expect(last("load")).toMatchObject({ generation: 3, fromUs: 1000, playing: false });
    expect(asked()).toMatchObject({ notes });
  });

  it("is as before where the engine refuses it, and says why; a change made meanwhile stays", () => {
    const { session, reply, load, frame } = setUp();
    void session.openFragment("");
    const generation = load();
    frame(3000, "running");
    const diagnostics = [
      { path: "notes[0].text", reason: "is empty", hint: "Write something.", severity: "error" as const },
    ];
    annotate(session, { notes: [{ text: "", atUs: 1 }] });
    reply({ kind: "diagnostics", generation, of: "annotate", diagnostics });
    expect(session.scenario).toBe(scenario);
    expect(session.run.getState()).toMatchObject({ diagnostics, phase: "running", generation });

    session.change([{ path: K, value: 40 }]);
    annotate(session, { notes: [{ text: "", atUs: 1 }] });
    reply(changed(generation, [recorded(3001, 40)]));
    reply({ kind: "diagnostics", generation, of: "annotate", diagnostics });
    expect(session.scenario).toEqual({ ...scenario, timeline: [recorded(3001, 40)] });
  });

  it("that was refused is judged with what was sent after it", () => {
    const { session, reply, load, frame } = setUp();
    void session.openFragment("");
    const generation = load();
    frame(3000, "running");
    annotate(session, { notes: [{ text: "", atUs: 1 }] });
    annotate(session, { notes });
    reply({ kind: "diagnostics", generation, of: "annotate", diagnostics: [] });
    reply({ kind: "annotated", generation, reading: { hash: "cafe" } });
    expect(session.scenario.notes).toEqual(notes);
  });
});

describe("a locked scenario", () => {
  const changed = (session: Session) => session.scenario !== scenario;

  const whole = { all: true, locked: [], free: [] };

  it("is changed by nothing that a person does", () => {
    const { session, last, load, frame } = setUp({ lock: whole });
    session.begin(scenario);
    load();
    frame(1000, "running");
    session.change([{ path: "seed", value: 99 }]);
    session.change([{ path: "classes[0].ratio", value: 5 }], true);
    session.edit({ ...scenario, seed: 99 });
    session.runEdited({ ...scenario, seed: 99 });
    session.undo();
    expect(changed(session)).toBe(false);
    expect(last("change")).toBeUndefined();
    expect(last("hold")).toBeUndefined();
  });

  it("is changed by the page around it, where a document has such a field and such a value", () => {
    const { session, load, frame } = setUp({ lock: whole });
    session.begin(scenario);
    load();
    frame(1000, "running");
    session.changeFromHost("no.such.place", 1);
    session.changeFromHost("seed", Number.NaN);
    session.changeFromHost("seed", new Map());
    expect(changed(session)).toBe(false);
    session.changeFromHost("seed", 99);
    expect(session.scenario.seed).toBe(99);
  });

  it("can be changed where it is free", () => {
    const { session } = setUp({ lock: { ...whole, free: ["classes[].ratio"] } });
    session.begin(scenario);
    session.change([{ path: "seed", value: 99 }]);
    expect(changed(session)).toBe(false);
    session.change([{ path: "classes[1].ratio", value: 5 }]);
    expect(session.scenario.classes[1]?.ratio).toBe(5);
  });

  it("of which some fields are locked says so, and changes elsewhere", () => {
    const { session } = setUp({ lock: { all: false, locked: ["switch", "classes[].ratio"], free: [] } });
    session.begin(scenario);
    session.change([{ path: K, value: 99 }]);
    expect(session.run.getState().diagnostics).toMatchObject([
      { path: K, reason: "is locked by the page that shows this" },
    ]);
    session.change([{ path: "classes", value: [] }]);
    session.edit({ ...scenario, switch: { ...scenario.switch, ecnThresholdPackets: 99 } });
    session.edit({ ...scenario, classes: scenario.classes.slice(1) });
    expect(changed(session)).toBe(false);
    session.change([{ path: "seed", value: 99 }]);
    session.edit({ ...session.scenario, name: "Mine" });
    expect(session.scenario).toMatchObject({ seed: 99, name: "Mine" });
  });
});

describe("a drag", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function dragged() {
    const page = setUp();
    void page.session.openFragment("");
    const generation = page.load();
    page.frame(3000, "running");
    for (let value = 100; value > 40; value--) page.session.change([{ path: K, value }], true);
    return { ...page, generation };
  }
  const kinds = (requests: readonly RunRequest[]) =>
    requests.map(({ kind }) => kind).filter((kind) => kind === "hold" || kind === "change");

  it("holds the run, shows its values, and is one change with the last of them", () => {
    const { session, requests, reply, last, generation } = dragged();
    expect(kinds(requests)).toEqual(["hold"]);
    expect(last("hold")).toMatchObject({ on: true });
    expect(session.shown().switch?.ecnThresholdPackets).toBe(41);
    vi.advanceTimersByTime(1000);
    expect(kinds(requests)).toEqual(["hold", "change", "hold"]);
    expect(last("change")).toMatchObject({ changes: [{ path: K, value: 41 }] });
    expect(last("hold")).toMatchObject({ on: false });
    expect(session.shown().switch?.ecnThresholdPackets).toBe(41);
    reply(changed(generation, [recorded(3001, 41)]));
    expect(session.run.getState().pending).toEqual({});
    session.undo();
    expect(session.scenario).toBe(scenario);
  });

  it("that comes back to where it began changes nothing", () => {
    const { session, requests } = dragged();
    session.change([{ path: K, value: 35 }], true);
    vi.advanceTimersByTime(1000);
    expect(kinds(requests)).toEqual(["hold", "hold"]);
    expect(session.run.getState().pending).toEqual({});
  });

  it("leaves the scenario alone when the run ended before it was held", () => {
    const { session, reply, generation, frame, requests } = dragged();
    frame(6000, "ended");
    vi.advanceTimersByTime(1000);
    expect(kinds(requests)).toEqual(["hold", "change", "hold"]);
    const diagnostics = [
      { path: K, reason: "was changed after the run had ended", hint: ".", severity: "error" as const },
    ];
    reply({ kind: "diagnostics", generation, of: "change", diagnostics });
    expect(session.scenario).toBe(scenario);
    expect(session.run.getState()).toMatchObject({ pending: {}, diagnostics });
  });

  it("of a field that is not live, or after the end, is one edit and one run", () => {
    const { session, requests, load, frame } = setUp();
    void session.openFragment("");
    load();
    frame(6000, "ended");
    for (let value = 100; value > 40; value--) session.change([{ path: K, value }], true);
    expect(requests.filter(({ kind }) => kind === "load")).toHaveLength(1);
    vi.advanceTimersByTime(1000);
    expect(requests.filter(({ kind }) => kind === "load")).toHaveLength(2);
    expect(session.scenario.switch?.ecnThresholdPackets).toBe(41);
    session.undo();
    expect(session.scenario).toBe(scenario);
  });
});

describe("a change that the engine has not answered", () => {
  it("is in what an edit after it runs", () => {
    const { session, reply, load, frame, asked } = setUp();
    session.begin(scenario);
    const generation = load();
    frame(3000, "running");
    session.change([{ path: K, value: 40 }]);
    session.change([{ path: "seed", value: 11 }]);
    session.edit({ ...session.scenario, durationUs: 9000 });
    expect(session.shown()).toMatchObject({ seed: 11, switch: { ecnThresholdPackets: 40 } });
    reply(changed(generation, [recorded(3001, 40)]));
    load();
    expect(asked()).toEqual({ ...scenario, seed: 11, durationUs: 9000, timeline: [recorded(3001, 40)] });
  });

  it("comes before a way back in time", () => {
    const { session, reply, last, load, frame, asked } = setUp();
    session.begin(scenario);
    const generation = load();
    frame(3000, "paused");
    session.change([{ path: K, value: 40 }]);
    session.seek(1000);
    expect(last("load")?.generation).toBe(generation);
    reply(changed(generation, [recorded(3000, 40)]));
    expect(last("load")).toMatchObject({ fromUs: 1000 });
    expect(asked()?.timeline).toEqual([recorded(3000, 40)]);
  });

  it("is followed by one that was made while an undo of it waits", () => {
    const { session, reply, last, load, frame } = setUp();
    session.begin(scenario);
    const generation = load();
    frame(3000, "paused");
    session.change([{ path: K, value: 40 }]);
    session.undo();
    session.change([{ path: K, value: 50 }]);
    reply(changed(generation, [recorded(3000, 40)]));
    expect(session.scenario).toBe(scenario);
    load();
    frame(3000, "paused");
    expect(last("change")).toMatchObject({ changes: [{ path: K, value: 50 }] });
  });

  it("is undone and redone in one go: nothing happens", () => {
    const { session, reply, last, load, frame } = setUp();
    session.begin(scenario);
    const generation = load();
    frame(3000, "paused");
    session.change([{ path: K, value: 40 }]);
    session.undo();
    session.redo();
    reply(changed(generation, [recorded(3000, 40)]));
    expect(session.scenario.timeline).toHaveLength(1);
    expect(last("load")?.generation).toBe(generation);
  });
});

describe("undo of a live change", () => {
  it("runs the scenario without it up to the same instant", () => {
    const { session, reply, last, load, frame } = setUp();
    void session.openFragment("");
    const generation = load();
    frame(3000, "running");
    session.change([{ path: K, value: 40 }]);
    reply(changed(generation, [recorded(3001, 40)]));
    frame(4000, "running");
    session.undo();
    expect(last("load")).toMatchObject({ generation: 2, fromUs: 4000, playing: true });
    expect(session.scenario).toBe(scenario);
  });

  it("waits until the engine has answered it", () => {
    const { session, reply, last, load, frame } = setUp();
    void session.openFragment("");
    const generation = load();
    frame(3000, "running");
    for (const value of [40, 50]) session.change([{ path: K, value }]);
    session.undo();
    expect(last("load")?.generation).toBe(generation);
    const first = [recorded(3001, 40)];
    reply(changed(generation, first));
    expect(last("load")?.generation).toBe(generation);
    reply(changed(generation, [...first, recorded(3002, 50)]));
    expect(last("load")).toMatchObject({ generation: generation + 1, fromUs: 3000 });
    expect(session.scenario.timeline).toEqual(first);
  });

  it("and as many times as it was asked for", () => {
    const { session, reply, load, frame } = setUp();
    void session.openFragment("");
    const generation = load();
    frame(3000, "running");
    session.change([{ path: K, value: 40 }]);
    reply(changed(generation, [recorded(3001, 40)]));
    session.change([{ path: K, value: 50 }]);
    session.undo();
    session.undo();
    reply(changed(generation, [recorded(3001, 40), recorded(3002, 50)]));
    expect(session.scenario).toBe(scenario);
  });

  it("has nothing to do where the engine refused it", () => {
    const { session, reply, last, load, frame } = setUp();
    void session.openFragment("");
    const generation = load();
    frame(3000, "running");
    session.change([{ path: K, value: 40 }]);
    const timeline = [recorded(3001, 40)];
    reply(changed(generation, timeline));
    session.change([{ path: K, value: -1 }]);
    session.undo();
    reply({ kind: "diagnostics", generation, of: "change", diagnostics: [] });
    expect(last("load")?.generation).toBe(generation);
    expect(session.scenario.timeline).toEqual(timeline);
  });
});

describe("many undos in a row", () => {
  it("keep the instant and the state the first one found", () => {
    const { session, reply, last, load, frame } = setUp();
    void session.openFragment("");
    const generation = load();
    frame(3000, "running");
    session.change([{ path: K, value: 40 }]);
    reply(changed(generation, [recorded(3001, 40)]));
    frame(3100, "running");
    session.change([{ path: "switch.bufferPackets", value: 500 }]);
    const second = { atUs: 3101, path: "switch.bufferPackets", value: 500 };
    reply(changed(generation, [recorded(3001, 40), second]));
    frame(6000, "ended");
    session.undo();
    load();
    expect(session.run.getState().phase).toBe("loading");
    session.undo();
    expect(last("load")).toMatchObject({ generation: 3, fromUs: 6000, playing: false });
    load();
    session.change([{ path: "seed", value: 11 }]);
    expect(last("load")).toMatchObject({ generation: 4, fromUs: 0, playing: true });
  });
});

describe("what the engine refuses", () => {
  it("keeps the last valid scenario and its run when the engine refuses an edit", () => {
    const { session, reply, last, load, frame } = setUp();
    void session.openFragment("");
    load();
    frame(3000, "running");
    session.change([{ path: "topology.shape.k", value: 3 }]);
    const diagnostics = [
      {
        path: "topology.shape.k",
        reason: "is 3, an odd number",
        hint: "Take an even number.",
        severity: "error" as const,
      },
    ];
    reply({ kind: "diagnostics", generation: 2, of: "load", diagnostics });
    expect(session.scenario).toBe(scenario);
    expect(session.run.getState()).toMatchObject({ diagnostics, phase: "running", generation: 1 });
    frame(3100, "running");
    expect(session.run.getState().nowUs).toBe(3100);
    expect(last("load")?.generation).toBe(2);
  });

  /** Refuses what was asked for last. */
  const refuse = ({ reply, last }: ReturnType<typeof setUp>, path: string) =>
    reply({
      kind: "diagnostics",
      generation: last("load")?.generation ?? 0,
      of: "load",
      diagnostics: [{ path, reason: "is wrong", hint: ".", severity: "error" }],
    });

  it("is taken back, and an earlier edit that it had not judged stays: before the first run", () => {
    const page = setUp();
    const { session, reply, load, asked } = page;
    session.begin(scenario);
    session.change([{ path: K, value: 61 }]);
    session.change([{ path: K, value: "many" }]);
    reply(loaded(1));
    refuse(page, K);
    expect(session.scenario.switch?.ecnThresholdPackets).toBe(61);
    expect(asked()?.switch?.ecnThresholdPackets).toBe(61);
    load();
    expect(session.scenario.switch?.ecnThresholdPackets).toBe(61);
    expect(session.run.getState()).toMatchObject({ diagnostics: [{ path: K }], phase: "running" });
    session.undo();
    expect(session.scenario).toBe(scenario);
  });

  it("is taken back where no run was ever laid out", () => {
    const page = setUp();
    const { session, reply, load, asked } = page;
    session.begin(scenario);
    // The worker goes before it has answered, and takes the first run along.
    reply(trapped(1, null));
    session.runEdited({ ...scenario, seed: 61 });
    session.runEdited({ ...session.scenario, seed: -1 });
    refuse(page, "seed");
    refuse(page, "seed");
    expect(session.run.getState().phase).not.toBe("stopped");
    expect(session.scenario.seed).toBe(61);
    load();
    expect(asked()?.seed).toBe(61);
    expect(session.run.getState().phase).toBe("running");
  });

  it("is taken back alone: an edit made after it is made without it", () => {
    const page = setUp();
    const { session, load, frame, asked } = page;
    session.begin(scenario);
    load();
    frame(6000, "ended");
    session.change([{ path: K, value: -1 }]);
    session.change([{ path: "switch.bufferPackets", value: 500 }]);
    for (let refusals = 0; refusals < 3; refusals++) {
      if (asked()?.switch?.ecnThresholdPackets === -1) refuse(page, K);
    }
    load();
    expect(session.scenario.switch).toEqual({ ...scenario.switch, bufferPackets: 500 });
    session.undo();
    expect(session.scenario).toBe(scenario);
  });

  it("is not come back to by undo", () => {
    const page = setUp();
    const { session, load, frame } = page;
    session.begin(scenario);
    load();
    frame(6000, "ended");
    session.change([{ path: "seed", value: -1 }]);
    session.change([{ path: "seed", value: 7 }]);
    load();
    load();
    session.undo();
    refuse(page, "seed");
    expect(session.scenario).toBe(scenario);
    load();
    session.redo();
    expect(session.scenario.seed).toBe(7);
  });
});
