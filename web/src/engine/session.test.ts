import { describe, expect, it, vi } from "vitest";
import threeWriters from "../../../scenarios/three-writers.json";
import { createScenarioStore } from "../scenario/store.ts";
import type { Change, Scenario } from "../scenario/types.ts";
import { EngineClient } from "./client.ts";
import type { Frame, Phase, Reply, Request } from "./protocol.ts";
import { Session } from "./session.ts";

const document = threeWriters as unknown as Scenario;

/** A session whose worker is played by the test. */
function setUp() {
  const requests: Request[] = [];
  const worker = {
    onmessage: null as ((event: { data: Reply }) => void) | null,
    onerror: null,
    postMessage: (request: Request) => requests.push(request),
    terminate() {},
  };
  const session = new Session(
    createScenarioStore(document),
    { reducedMotion: false },
    (onReply) => new EngineClient(onReply, () => worker as unknown as Worker),
  );
  const reply = (data: Reply) => worker.onmessage?.({ data });
  const last = (kind: Request["kind"]) => requests.findLast((request) => request.kind === kind);
  const load = () => {
    const generation = last("load")?.generation ?? 0;
    reply({
      kind: "loaded",
      generation,
      layout: layout(),
      dcqcnSets: { sigcomm15: {}, vendor: {}, hpcc: {} },
    } as Reply);
    return generation;
  };
  const frame = (nowUs: number, phase: Phase) => {
    const generation = session.run.getState().generation;
    reply({ ...FRAME, generation, nowUs, phase });
  };
  return { session, requests, reply, last, load, frame };
}

const FRAME: Frame = {
  kind: "frame",
  generation: 0,
  phase: "running",
  nowUs: 0,
  rows: new Float64Array(0),
  flowRows: new Float64Array(0),
  figures: new Float64Array(0),
  links: null,
  deadlock: null,
  latency: null,
  hopsPerSecond: 1e7,
  paced: true,
  digest: null,
};

const layout = () => ({
  version: "0",
  hash: "0",
  classes: document.classes.map(({ name }) => ({ name, transport: "qtcp" })),
  samplePeriodUs: 6,
  baseRttUs: 25,
  warmupUs: 1200,
  durationUs: 6000,
  nowUs: 1000,
  flowColumns: [],
  sampleColumns: ["timeUs"],
  figureColumns: [],
  graph: { nodes: [], links: [], flows: [], bottleneck: 0 },
});

const K = "switch.ecnThresholdPackets";
const recorded = (atUs: number, value: unknown): Change => ({ atUs, path: K, value });

describe("what a change does", () => {
  it("changes a live field under way at once and records it in the document", () => {
    const { session, reply, last, load, frame } = setUp();
    session.begin();
    const generation = load();
    frame(3000, "running");
    session.change([{ path: K, value: 40 }]);
    expect(last("change")).toMatchObject({ changes: [{ path: K, value: 40 }] });
    expect(session.shown().switch?.ecnThresholdPackets).toBe(40);
    expect(session.document.timeline).toBeUndefined();
    reply({ kind: "changed", generation, timeline: [recorded(3001, 40)] });
    expect(session.document).toMatchObject({
      switch: { ecnThresholdPackets: 140 },
      timeline: [recorded(3001, 40)],
    });
    expect(session.shown().switch?.ecnThresholdPackets).toBe(40);
    expect(session.run.getState().pending).toEqual({});
  });

  it("edits the document and restarts when the field cannot change live", () => {
    const { session, last, load, frame } = setUp();
    session.begin();
    load();
    frame(3000, "running");
    session.change([{ path: "seed", value: 11 }]);
    expect(session.document.seed).toBe(11);
    expect(last("load")).toMatchObject({ generation: 2, fromUs: 0, playing: true });
  });

  it("edits the document at time 0 and after the end", () => {
    for (const [nowUs, phase] of [
      [0, "paused"],
      [6000, "ended"],
    ] as const) {
      const { session, last, load, frame } = setUp();
      session.begin();
      load();
      frame(nowUs, phase);
      session.change([{ path: K, value: 40 }]);
      expect(session.document.switch?.ecnThresholdPackets).toBe(40);
      expect(session.document.timeline).toBeUndefined();
      expect(last("load")).toMatchObject({ generation: 2, playing: phase === "ended" });
    }
  });

  it("sends a drag as few changes, the last value included, and undoes it as one step", () => {
    vi.useFakeTimers();
    const { session, requests, reply, load, frame } = setUp();
    session.begin();
    const generation = load();
    frame(3000, "running");
    for (let value = 100; value > 40; value--) session.change([{ path: K, value }], "drag 1");
    reply({ kind: "changed", generation, timeline: [recorded(3001, 100)] });
    expect(session.shown().switch?.ecnThresholdPackets).toBe(41);
    vi.advanceTimersByTime(1000);
    const sent = requests.filter((request) => request.kind === "change");
    expect(sent).toHaveLength(2);
    reply({ kind: "changed", generation, timeline: [recorded(3001, 100), recorded(3076, 41)] });
    session.undo();
    expect(session.document).toBe(document);
    vi.useRealTimers();
  });
});

describe("undo of a live change", () => {
  it("runs the document without it up to the same instant", () => {
    const { session, reply, last, load, frame } = setUp();
    session.begin();
    const generation = load();
    frame(3000, "running");
    session.change([{ path: K, value: 40 }]);
    reply({ kind: "changed", generation, timeline: [recorded(3001, 40)] });
    frame(4000, "running");
    session.undo();
    expect(last("load")).toMatchObject({ generation: 2, fromUs: 4000, playing: true });
    expect(session.document).toBe(document);
  });
});

describe("many undos in a row", () => {
  it("keep the instant and the state the first one found", () => {
    const { session, reply, last, load, frame } = setUp();
    session.begin();
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
  it("keeps the last valid document and its run when the engine refuses an edit", () => {
    const { session, reply, last, load, frame } = setUp();
    session.begin();
    load();
    frame(3000, "running");
    session.change([{ path: "topology.shape.k", value: 3 }]);
    const faults = [{ path: "topology.shape.k", reason: "is 3, an odd number", fix: "Take an even number." }];
    reply({ kind: "faults", generation: 2, of: "load", faults });
    expect(session.document).toBe(document);
    expect(session.run.getState()).toMatchObject({ faults, phase: "running", generation: 1 });
    frame(3100, "running");
    expect(session.run.getState().nowUs).toBe(3100);
    expect(last("load")?.generation).toBe(2);
  });

  it("drops frames of a run that was replaced", () => {
    const { session, reply, load, frame } = setUp();
    session.begin();
    load();
    frame(3000, "running");
    session.restart();
    load();
    reply({ ...FRAME, generation: 1, nowUs: 5000 });
    expect(session.run.getState()).toMatchObject({ generation: 2, nowUs: 0 });
  });

  it("keeps scenario and charts when the engine traps, and can start again", () => {
    const { session, reply, last, load, frame } = setUp();
    session.begin();
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
});
