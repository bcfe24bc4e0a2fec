import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NO_BOTTLENECK } from "../run/bottleneck.ts";
import { NO_ANSWER } from "../scenario/explanation.ts";
import { firstScenario } from "../scenario/first.ts";
import type { Lock } from "../scenario/lock.ts";
import { createScenarioStore } from "../scenario/store.ts";
import type { Change, Scenario } from "../scenario/types.ts";
import { EngineClient } from "./client.ts";
import type { Refusal, Source, Verdict } from "./opening.ts";
import type { Frame, Phase, Reply, RunRequest } from "./protocol.ts";
import { Session } from "./session.ts";

const scenario = firstScenario;

/** A session whose worker is played by the test. */
function setUp(options: { readonly autoplay?: boolean; readonly lock?: Lock } = {}) {
  const requests: RunRequest[] = [];
  const checks: { source: Source; settle: (verdict: Verdict) => void }[] = [];
  const worker = {
    onmessage: null as ((event: { data: Reply }) => void) | null,
    onerror: null,
    postMessage: (request: RunRequest) => requests.push(request),
    terminate() {},
  };
  const session = new Session(
    createScenarioStore(scenario),
    { reducedMotion: false, ...options },
    (onReply) => new EngineClient(onReply, () => worker as unknown as Worker),
    (source) => new Promise((settle) => checks.push({ source, settle })),
  );
  const reply = (data: Reply) => worker.onmessage?.({ data });
  const last = (kind: RunRequest["kind"]) => requests.findLast((request) => request.kind === kind);
  const load = () => {
    const generation = last("load")?.generation ?? 0;
    reply({
      kind: "loaded",
      generation,
      layout: layout(),
      explanation: NO_ANSWER,
      warnings: [],
      detours: [],
    } as Reply);
    return generation;
  };
  const frame = (nowUs: number, phase: Phase) => {
    const generation = session.run.getState().generation;
    reply({ ...FRAME, generation, nowUs, phase });
  };
  return { session, requests, checks, reply, last, load, frame };
}

const FRAME: Frame = {
  kind: "frame",
  generation: 0,
  phase: "running",
  nowUs: 0,
  rows: new Float64Array(0),
  flowRows: new Float64Array(0),
  deviceRows: new Float32Array(0),
  figures: new Float64Array(0),
  bottleneck: NO_BOTTLENECK,
  links: null,
  devices: null,
  stages: null,
  deviceLatency: null,
  deadlock: null,
  latency: null,
  convergence: null,
  hopsPerSecond: 1e7,
  forecast: null,
  paced: true,
  digest: null,
};

const layout = () => ({
  version: "0",
  hash: "0",
  classes: scenario.classes.map(({ name }) => ({ name, transport: "qtcp" })),
  samplePeriodUs: 6,
  baseRttUs: 25,
  convergenceBand: 0.05,
  warmupUs: 1200,
  durationUs: 6000,
  nowUs: 1000,
  flowColumns: [],
  stages: [],
  deviceColumns: [],
  devices: [],
  sampleColumns: ["timeUs"],
  figureColumns: [],
  graph: { nodes: [], links: [], flows: [], bottleneck: 0 },
});

const K = "switch.ecnThresholdPackets";
const recorded = (atUs: number, value: unknown): Change => ({ atUs, path: K, value });

describe("what the engine says of the parameters in force", () => {
  it("stands until the next answer of the same run", () => {
    const { session, reply, load } = setUp();
    void session.openFragment("");
    const generation = load();
    const said = () => session.run.getState().explanation.of("classes[0].ratio")?.noEffect?.reason;
    const explained = (of: number, reason: string) =>
      reply({
        kind: "explained",
        generation: of,
        explanation: {
          ...NO_ANSWER,
          fields: [{ path: "classes[0].ratio", value: 1, source: "given", noEffect: { reason } }],
        },
        detours: [],
      });
    expect(said()).toBeUndefined();
    explained(generation, "DCTCP ignores class ratios");
    expect(said()).toBe("DCTCP ignores class ratios");
    explained(generation - 1, "the goal is a tail latency");
    expect(said()).toBe("DCTCP ignores class ratios");
  });
});

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
    reply({ kind: "changed", generation, timeline: [recorded(3001, 40)] });
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
    reply({ kind: "annotated", generation, hash: "cafe" });
    expect(session.scenario).toBe(annotated);
    session.undo();
    expect(session.scenario).toBe(scenario);
    expect(last("annotate")).toMatchObject({ scenario: JSON.stringify(scenario) });
    reply({ kind: "annotated", generation, hash: "0" });
    session.redo();
    expect(session.scenario).toBe(annotated);
    reply({ kind: "annotated", generation, hash: "cafe" });
    frame(3100, "running");
    expect(session.run.getState()).toMatchObject({ generation, nowUs: 3100, phase: "running" });
    expect(session.run.getState().view?.layout.hash).toBe("cafe");
    expect(requests.filter(({ kind }) => kind === "load")).toHaveLength(loads);
  });

  it("comes to the same instant with a run that is being laid out", () => {
    const { session, last, load, frame } = setUp();
    void session.openFragment("");
    load();
    frame(3000, "running");
    session.seek(1000);
    annotate(session, { notes });
    expect(last("annotate")).toBeUndefined();
    load();
    const request = last("load");
    expect(request).toMatchObject({ generation: 3, fromUs: 1000, playing: false });
    expect(JSON.parse((request as { scenario: string }).scenario)).toMatchObject({ notes });
  });

  it("is as before where the engine refuses it, and says why; a change made meanwhile stays", () => {
    const { session, reply, load, frame } = setUp();
    void session.openFragment("");
    const generation = load();
    frame(3000, "running");
    const diagnostics = [{ path: "notes[0].text", reason: "is empty", hint: "Write something." }];
    annotate(session, { notes: [{ text: "", atUs: 1 }] });
    reply({ kind: "diagnostics", generation, of: "annotate", diagnostics });
    expect(session.scenario).toBe(scenario);
    expect(session.run.getState()).toMatchObject({ diagnostics, phase: "running", generation });

    session.change([{ path: K, value: 40 }]);
    annotate(session, { notes: [{ text: "", atUs: 1 }] });
    reply({ kind: "changed", generation, timeline: [recorded(3001, 40)] });
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
    reply({ kind: "annotated", generation, hash: "cafe" });
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

it("a scenario that is not to run by itself waits at its start", () => {
  const { session, last } = setUp({ autoplay: false });
  session.begin(scenario);
  expect(last("load")).toMatchObject({ playing: false, fromUs: 0 });
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
    reply({ kind: "changed", generation, timeline: [recorded(3001, 41)] });
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
    const diagnostics = [{ path: K, reason: "was changed after the run had ended", hint: "." }];
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

describe("opening another scenario", () => {
  const other: Scenario = { ...scenario, name: "Another" };
  const file = { kind: "file", file: new File([""], "other.json") } as const;
  const refusal: Refusal = { kind: "invalid", title: "t", sentence: "s", diagnostics: [] };

  it("is a step of undo: the edited one comes back, with its edits", () => {
    const { session, last, load, frame } = setUp();
    void session.openFragment("");
    load();
    frame(3000, "running");
    session.change([{ path: "seed", value: 11 }]);
    const edited = session.scenario;
    session.begin(other);
    expect(session.scenario).toBe(other);
    session.undo();
    expect(session.scenario).toBe(edited);
    expect(last("load")).toMatchObject({ scenario: JSON.stringify(edited), playing: true, fromUs: 0 });
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
    const { session, checks, last } = setUp();
    void session.openFragment("#2.abc");
    expect(last("load")).toBeUndefined();
    expect(session.run.getState().begun).toBe(false);
    checks[0]?.settle({ kind: "accepted", scenario: other });
    await vi.waitFor(() => expect(session.scenario).toBe(other));
    expect(session.store.getState().history.past).toEqual([]);
    expect(last("load")).toMatchObject({ scenario: JSON.stringify(other) });
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

describe("undo of a live change", () => {
  it("runs the scenario without it up to the same instant", () => {
    const { session, reply, last, load, frame } = setUp();
    void session.openFragment("");
    const generation = load();
    frame(3000, "running");
    session.change([{ path: K, value: 40 }]);
    reply({ kind: "changed", generation, timeline: [recorded(3001, 40)] });
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
    reply({ kind: "changed", generation, timeline: first });
    expect(last("load")?.generation).toBe(generation);
    reply({ kind: "changed", generation, timeline: [...first, recorded(3002, 50)] });
    expect(last("load")).toMatchObject({ generation: generation + 1, fromUs: 3000 });
    expect(session.scenario.timeline).toEqual(first);
  });

  it("and as many times as it was asked for", () => {
    const { session, reply, load, frame } = setUp();
    void session.openFragment("");
    const generation = load();
    frame(3000, "running");
    session.change([{ path: K, value: 40 }]);
    reply({ kind: "changed", generation, timeline: [recorded(3001, 40)] });
    session.change([{ path: K, value: 50 }]);
    session.undo();
    session.undo();
    reply({ kind: "changed", generation, timeline: [recorded(3001, 40), recorded(3002, 50)] });
    expect(session.scenario).toBe(scenario);
  });

  it("has nothing to do where the engine refused it", () => {
    const { session, reply, last, load, frame } = setUp();
    void session.openFragment("");
    const generation = load();
    frame(3000, "running");
    session.change([{ path: K, value: 40 }]);
    const timeline = [recorded(3001, 40)];
    reply({ kind: "changed", generation, timeline });
    session.change([{ path: K, value: -1 }]);
    session.undo();
    reply({ kind: "diagnostics", generation, of: "change", diagnostics: [] });
    expect(last("load")?.generation).toBe(generation);
    expect(session.scenario.timeline).toEqual(timeline);
  });
});

describe("going back", () => {
  /** A run of twelve samples that stands at an instant. */
  function runTo(nowUs: number, phase: Phase) {
    const page = setUp();
    void page.session.openFragment("");
    const generation = page.load();
    const rows = Float64Array.from({ length: 12 }, (_, i) => (nowUs * (i + 1)) / 12);
    page.reply({ ...FRAME, generation, nowUs, phase, rows });
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
      reply({ kind: "changed", generation, timeline: [recorded(2100, 40), recorded(4000, 90)] });
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
      reply({ kind: "changed", generation, timeline: [recorded(2100, value)] });
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
    reply({ kind: "changed", generation, timeline: [recorded(3100, 40)] });
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

describe("many undos in a row", () => {
  it("keep the instant and the state the first one found", () => {
    const { session, reply, last, load, frame } = setUp();
    void session.openFragment("");
    const generation = load();
    frame(3000, "running");
    session.change([{ path: K, value: 40 }]);
    reply({ kind: "changed", generation, timeline: [recorded(3001, 40)] });
    frame(3100, "running");
    session.change([{ path: "switch.bufferPackets", value: 500 }]);
    const second = { atUs: 3101, path: "switch.bufferPackets", value: 500 };
    reply({ kind: "changed", generation, timeline: [recorded(3001, 40), second] });
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

describe("what goes wrong", () => {
  it("keeps the last valid scenario and its run when the engine refuses an edit", () => {
    const { session, reply, last, load, frame } = setUp();
    void session.openFragment("");
    load();
    frame(3000, "running");
    session.change([{ path: "topology.shape.k", value: 3 }]);
    const diagnostics = [
      { path: "topology.shape.k", reason: "is 3, an odd number", hint: "Take an even number." },
    ];
    reply({ kind: "diagnostics", generation: 2, of: "load", diagnostics });
    expect(session.scenario).toBe(scenario);
    expect(session.run.getState()).toMatchObject({ diagnostics, phase: "running", generation: 1 });
    frame(3100, "running");
    expect(session.run.getState().nowUs).toBe(3100);
    expect(last("load")?.generation).toBe(2);
  });

  it("drops frames of a run that was replaced", () => {
    const { session, reply, load, frame } = setUp();
    void session.openFragment("");
    load();
    frame(3000, "running");
    session.restart();
    load();
    reply({ ...FRAME, generation: 1, nowUs: 5000 });
    expect(session.run.getState()).toMatchObject({ generation: 2, nowUs: 0 });
  });

  it("keeps scenario and charts when the engine traps, and can start again", () => {
    const { session, reply, last, load, frame } = setUp();
    void session.openFragment("");
    const generation = load();
    frame(3000, "running");
    const { view } = session.run.getState();
    reply({
      kind: "trapped",
      generation,
      nowUs: 3000,
      message: "unreachable",
      outOfMemory: false,
      memoryBytes: 1,
    });
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
    reply({ kind: "trapped", generation, nowUs: null, message: "x", outOfMemory: false, memoryBytes: 5 });
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

describe("the summary of a run", () => {
  it("is asked for and comes, once for everybody who waits", async () => {
    const { session, reply, last, load, frame } = setUp();
    void session.openFragment("");
    expect(await session.summary()).toBeNull();
    const generation = load();
    frame(100, "running");
    const asked = [session.summary(), session.summary()];
    expect(last("summary")).toEqual({ kind: "summary", generation });
    reply({ kind: "summary", generation, json: "{}" });
    expect(await Promise.all(asked)).toEqual(["{}", "{}"]);
  });

  it("is none where another run takes its place, or the engine stops", async () => {
    const { session, reply, load, frame } = setUp();
    void session.openFragment("");
    load();
    frame(100, "running");
    const replaced = session.summary();
    session.restart();
    const generation = load();
    expect(await replaced).toBeNull();
    const lost = session.summary();
    reply({
      kind: "trapped",
      generation,
      nowUs: 5,
      message: "unreachable",
      outOfMemory: false,
      memoryBytes: 0,
    });
    expect(await lost).toBeNull();
  });
});
