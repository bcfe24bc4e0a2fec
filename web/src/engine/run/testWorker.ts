import { NO_ANSWER } from "../../scenario/explanation.ts";
import { firstScenario } from "../../scenario/first.ts";
import { createScenarioStore } from "../../scenario/store.ts";
import type { Change, Scenario } from "../../scenario/types.ts";
import type { Source, Verdict } from "../files/opening.ts";
import { EngineClient } from "./client.ts";
import type { Frame, Phase, Reply, RunRequest } from "./protocol.ts";
import { createSession, type SessionOptions } from "./session.ts";

export const scenario = firstScenario;

/** For tests: a session whose worker is played by the test. */
export function setUp(options: Omit<SessionOptions, "reducedMotion"> = {}) {
  const requests: RunRequest[] = [];
  const checks: { source: Source; settle: (verdict: Verdict) => void }[] = [];
  const worker = {
    onmessage: null as ((event: { data: Reply }) => void) | null,
    onerror: null,
    postMessage: (request: RunRequest) => requests.push(request),
    terminate() {},
  };
  const session = createSession(
    createScenarioStore(scenario),
    { reducedMotion: false, ...options },
    (onReply) => new EngineClient(onReply, () => worker as unknown as Worker),
    (source) => new Promise((settle) => checks.push({ source, settle })),
  );
  const reply = (data: Reply) => worker.onmessage?.({ data });
  const last = <K extends RunRequest["kind"]>(kind: K) =>
    requests.findLast((request): request is RunRequest & { kind: K } => request.kind === kind);
  /** Lays out what was asked for last. */
  const load = () => {
    const generation = last("load")?.generation ?? 0;
    reply(loaded(generation));
    return generation;
  };
  const frame = (nowUs: number, phase: Phase) =>
    reply(frameOf(session.run.getState().generation, nowUs, phase));
  /** The scenario of the last load. */
  const asked = () => documents(requests).at(-1);
  return { session, requests, checks, reply, last, load, frame, asked };
}

/** The scenarios that were to be laid out: of one that differs by its timeline alone only that was sent. */
function documents(requests: readonly RunRequest[]): Scenario[] {
  let held = scenario;
  return requests.flatMap((request) => {
    if (request.kind !== "load") return [];
    const { of, json } = request.document;
    const { timeline: _, ...rest } = held;
    const timeline = of === "timeline" ? (JSON.parse(json) as Change[]) : [];
    held = of === "scenario" ? JSON.parse(json) : timeline.length > 0 ? { ...rest, timeline } : rest;
    return [held];
  });
}

export const frameOf = (
  generation: number,
  nowUs: number,
  phase: Phase,
  rows = new Float64Array(0),
): Frame => ({
  kind: "frame",
  generation,
  phase,
  reading: { nowUs, rows },
  changesInForce: 0,
  hopsPerSecond: 1e7,
  forecast: null,
  paced: true,
  digest: null,
});

export const loaded = (generation: number): Reply => ({
  kind: "loaded",
  generation,
  layout: {
    version: "0",
    hash: "0",
    classes: scenario.classes.map(({ name }) => ({ name, transport: "qtcp" })),
    samplePeriodUs: 6,
    baseRttUs: 25,
    classRttUs: [],
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
  },
  explanation: NO_ANSWER,
  warnings: [],
  reading: {},
});

export const trapped = (generation: number, nowUs: number | null): Reply => ({
  kind: "trapped",
  generation,
  nowUs,
  message: "unreachable",
  outOfMemory: false,
  memoryBytes: 1,
});

export const K = "switch.ecnThresholdPackets";
export const recorded = (atUs: number, value: unknown): Change => ({ atUs, path: K, value });

/** The engine has made a change: all of the timeline is in force then, unless told otherwise. */
export const changed = (
  generation: number,
  timeline: readonly Change[],
  changesInForce = timeline.length,
): Reply => ({ kind: "changed", generation, timeline, changesInForce });
