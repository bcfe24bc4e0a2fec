/// <reference lib="webworker" />

import init, { dtm, Engine, type Following, TraceShelf } from "../generated/wasm/qoscope_wasm.js";
import { eventOf } from "../run/events.ts";
import type { Deadlock, Detours } from "../run/types.ts";
import { type Answer, beyondDocument } from "../scenario/explanation.ts";
import type { Diagnostic, Scenario } from "../scenario/types.ts";
import { engineReady } from "./module.ts";
import { nextBudget, RateMeter } from "./pacing.ts";
import type { FieldChange, LoadRequest, Reply, Request, RunRequest, Wish } from "./protocol.ts";
import {
  isMoving,
  reduceTime,
  startTime,
  type TimeCommand,
  type TimeControl,
  targetUs,
} from "./timeControl.ts";

/**
 * The worker that simulates. It owns one engine, works in slices of about ten milliseconds and looks at its mailbox
 * between them, so that a command never waits long. Frames go out at most as often as the page asked for, and never
 * before the last one is on the screen.
 */

const PS_PER_US = 1e6;
const LATENCY_PERIOD_MS = 100;
/** Least simulated time over which the load of a link is measured, unless the run stands still. */
const LOAD_WINDOW_US = 25;

interface Run {
  readonly generation: number;
  readonly engine: Engine;
  readonly framePeriodMs: number;
  readonly classes: number;
  readonly columns: number;
  readonly devices: number;
  readonly rate: RateMeter;
  time: TimeControl;
  hops: number;
  /** How long it has computed; NaN where that is not known from its start on. */
  computedMs: number;
  /** How long it will compute on, in words; null where that is soon or not known. */
  forecast: string | null;
  budget: number;
  rowsSent: number;
  /** A frame was sent and is not on the screen yet. */
  frameInFlight: boolean;
  lastFrameMs: number;
  lastLatencyMs: number;
  lastLoadUs: number;
  /** Something changed that no frame has told yet. */
  dirty: boolean;
  /** Changes that had taken effect when the parameters were explained last. */
  changesInForce: number;
  /** A copy of the run that follows a request, and the events of its next slice. */
  following: { readonly of: Following; budget: number } | null;
}

let run: Run | null = null;
let traces: TraceShelf | null = null;
/** Traces have come since the engine was made. */
let hasNewTraces = false;
let model: { readonly generation: number; readonly scenario: string } | null = null;
let memoryBytes = () => 0;
let dead = false;

const ready = engineReady(init).then(
  (exports) => {
    memoryBytes = () => exports.memory.buffer.byteLength;
    pong();
  },
  (error) => trapped(0, error, true),
);

/** Yields to the mailbox and comes back at once; timers would wait four milliseconds or more. */
const again = new MessageChannel();
again.port1.onmessage = turn;
let waiting = false;

function wake(delayMs = 0): void {
  if (waiting) return;
  waiting = true;
  if (delayMs > 0) setTimeout(turn, delayMs);
  else again.port2.postMessage(null);
}

const post = (reply: Reply, transfer: Transferable[] = []): void => self.postMessage(reply, { transfer });

const pong = (): void => post({ kind: "pong", memoryBytes: memoryBytes() });

self.onmessage = async ({ data }: MessageEvent<Request>) => {
  await ready;
  if (dead) return;
  if (data.kind === "ping") {
    pong();
    return;
  }
  if (data.kind === "trace") {
    guarded(0, () => {
      traces ??= new TraceShelf();
      traces.insert(data.name, data.bytes);
      hasNewTraces = true;
    });
    return;
  }
  guarded(data.generation, () => dispatch(data));
  wake();
};

function dispatch(request: RunRequest): void {
  if (request.kind === "load") load(request);
  else if (request.kind === "model") model = request;
  else if (run && request.generation === run.generation) control(run, request);
}

function control(current: Run, request: Exclude<RunRequest, { kind: "load" } | { kind: "model" }>): void {
  const ms = performance.now();
  switch (request.kind) {
    case "play":
      command(current, { kind: "play", ms });
      break;
    case "pause":
      command(current, { kind: "pause" });
      break;
    case "step":
      command(current, { kind: "step", us: request.us });
      break;
    case "event":
      goByEvent(current, request.go);
      break;
    case "speed":
      command(current, { kind: "speed", speed: request.speed, ms });
      break;
    case "hold":
      command(current, { kind: "hold", on: request.on, ms });
      break;
    case "change":
      change(current, request.changes);
      break;
    case "annotate":
      annotate(current, request.scenario);
      break;
    case "summary":
      post({ kind: "summary", generation: current.generation, json: current.engine.summary() });
      break;
    case "follow":
      follow(current, request.wish);
      break;
    case "taken":
      current.frameInFlight = false;
      break;
    case "stop":
      stopFollowing(current);
      current.engine.free();
      run = null;
      break;
  }
}

function command(current: Run, wish: TimeCommand): void {
  current.time = reduceTime(current.time, wish);
  current.dirty = true;
}

function load(request: LoadRequest): void {
  if (run) stopFollowing(run);
  const engine = attempt(request.generation, "load", () => engineOf(request));
  if (!engine) return;
  const layout = JSON.parse(engine.layout());
  const ms = performance.now();
  run = {
    generation: request.generation,
    engine,
    framePeriodMs: request.framePeriodMs,
    classes: layout.classes.length,
    columns: layout.sampleColumns.length,
    devices: layout.devices.length,
    rate: new RateMeter(),
    time: startTime(engine.durationPs() / PS_PER_US, request.speed, ms),
    hops: engine.packetHops(),
    // A run that went back has computed what is behind it in another life.
    computedMs: engine.nowPs() > 0 ? Number.NaN : 0,
    forecast: null,
    budget: 50_000,
    rowsSent: 0,
    frameInFlight: false,
    lastFrameMs: 0,
    lastLatencyMs: 0,
    lastLoadUs: engine.nowPs() / PS_PER_US,
    dirty: true,
    changesInForce: engine.changesInForce(),
    following: null,
  };
  command(run, { kind: "reached", nowUs: engine.nowPs() / PS_PER_US, ms });
  if (request.playing) command(run, { kind: "play", ms });
  command(run, { kind: "jump", toUs: request.fromUs, ms });
  const warnings = JSON.parse(engine.warnings());
  const explanation = explained(engine);
  post({
    kind: "loaded",
    generation: request.generation,
    layout,
    explanation,
    warnings,
    detours: detours(engine),
  });
}

/** Begins to follow a request, in the place of any other. */
function follow(current: Run, { class: number, operation, of }: Wish): void {
  stopFollowing(current);
  const reads = operation === "all" ? undefined : operation === "reads";
  current.following = { of: current.engine.follow(number, reads, of), budget: 10_000 };
}

function stopFollowing(current: Run): void {
  current.following?.of.free();
  current.following = null;
}

/** A slice of the copy that follows a request. */
function followOn(current: Run, following: NonNullable<Run["following"]>): void {
  const started = performance.now();
  const isThrough = following.of.advance(following.budget);
  if (!isThrough) {
    following.budget = nextBudget(following.budget, performance.now() - started, true);
    wake();
    return;
  }
  const journey = JSON.parse(following.of.journey());
  stopFollowing(current);
  post({ kind: "journey", generation: current.generation, journey });
}

/** Passes the next event, or says when the last one was: going back is the page's to do. */
function goByEvent(current: Run, go: "on" | "back"): void {
  const { engine, generation } = current;
  command(current, { kind: "pause" });
  if (go === "on") {
    const event = eventOf(engine.stepEvent());
    command(current, { kind: "reached", nowUs: engine.nowPs() / PS_PER_US, ms: performance.now() });
    post({ kind: "event", generation, go, event });
  } else post({ kind: "event", generation, go, event: eventOf(engine.lastEvent()) });
}

/** What the engine says of the parameters as they are now. */
const explained = (engine: Engine): Answer => beyondDocument(JSON.parse(engine.explain()) as Answer);

/** Where connections go while cables are down. */
const detours = (engine: Engine): Detours => JSON.parse(engine.detours()) as Detours;

/** Explains the parameters again when a change of them has taken effect. */
function explainAnew(current: Run): void {
  const changesInForce = current.engine.changesInForce();
  if (changesInForce === current.changesInForce) return;
  current.changesInForce = changesInForce;
  post({
    kind: "explained",
    generation: current.generation,
    explanation: explained(current.engine),
    detours: detours(current.engine),
  });
}

/** The engine of a run to be: the present one, gone back in time as little as it must, or a new one. */
function engineOf({ scenario, fromUs }: LoadRequest): Engine {
  if (!run || hasNewTraces) {
    const engine = traces ? Engine.withTraces(scenario, traces) : new Engine(scenario);
    run?.engine.free();
    run = null;
    hasNewTraces = false;
    return engine;
  }
  run.engine.reload(scenario, Math.floor(fromUs * PS_PER_US));
  return run.engine;
}

function change(current: Run, changes: readonly FieldChange[]): void {
  const { generation, engine, time } = current;
  const applied = attempt(generation, "change", () => {
    if (time.phase === "ended") throw JSON.stringify(changes.map(tooLate));
    engine.applyAll(JSON.stringify(changes));
    return true;
  });
  if (!applied) return;
  const timeline = (JSON.parse(engine.scenario()) as Scenario).timeline ?? [];
  current.dirty = true;
  post({ kind: "changed", generation, timeline });
  explainAnew(current);
}

/** Says the hash that the scenario has with what it tells its readers now. */
function annotate({ generation, engine }: Run, scenario: string): void {
  const hash = attempt(generation, "annotate", () => engine.annotate(scenario));
  if (hash !== null) post({ kind: "annotated", generation, hash });
}

/** The last slice may end a run between a person's choice and its arrival here. */
const tooLate = ({ path }: FieldChange): Diagnostic => ({
  path,
  reason: "was changed after the run had ended",
  hint: "Change it again to run the scenario with it from the start.",
});

/** Does something that may find diagnostics with the scenario, and reports them. */
function attempt<T>(generation: number, of: "load" | "change" | "annotate", action: () => T): T | null {
  try {
    return action();
  } catch (error) {
    if (typeof error !== "string") throw error;
    post({ kind: "diagnostics", generation, of, diagnostics: JSON.parse(error) as Diagnostic[] });
    return null;
  }
}

/** One slice of work, then whatever is due to the page. */
function turn(): void {
  waiting = false;
  const generation = run?.generation ?? model?.generation ?? 0;
  guarded(generation, () => {
    if (run) work(run);
    if (run?.following) followOn(run, run.following);
    if (model) overlay(model);
    model = null;
  });
}

function work(current: Run): void {
  const { time, engine, rate } = current;
  const started = performance.now();
  const target = targetUs(time, started);
  if (isMoving(time) && target > time.nowUs) {
    const untilPs = target >= time.durationUs ? engine.durationPs() : Math.round(target * PS_PER_US);
    const nowPs = engine.advance(untilPs, current.budget);
    const ms = performance.now();
    const hops = engine.packetHops();
    rate.add(hops - current.hops, ms - started);
    current.hops = hops;
    current.computedMs += ms - started;
    current.budget = nextBudget(current.budget, ms - started, nowPs < untilPs);
    command(current, { kind: "reached", nowUs: nowPs / PS_PER_US, ms });
  }
  const now = performance.now();
  const moving = isMoving(current.time);
  if (
    current.dirty &&
    !current.frameInFlight &&
    (!moving || now - current.lastFrameMs >= current.framePeriodMs)
  ) {
    sendFrame(current, now, moving);
  }
  if (!moving) return;
  wake(targetUs(current.time, now) - current.time.nowUs > pauseWorthUs(current.time) ? 0 : 4);
}

/** Less simulated time than this is not worth a slice of its own at the chosen speed. */
const pauseWorthUs = (time: TimeControl): number => (time.speed === Infinity ? 0 : (time.speed / 1000) * 4);

function sendFrame(current: Run, nowMs: number, moving: boolean): void {
  const { engine, time } = current;
  explainAnew(current);
  const rows = engine.samples(current.rowsSent) as Float64Array<ArrayBuffer>;
  const flowRows = engine.flowSamples(current.rowsSent) as Float64Array<ArrayBuffer>;
  const figures = engine.figures() as Float64Array<ArrayBuffer>;
  const hasDevices = current.devices > 0;
  const deviceRows = (
    hasDevices ? engine.deviceSamples(current.rowsSent) : new Float32Array(0)
  ) as Float32Array<ArrayBuffer>;
  const links = loads(current, nowMs, moving);
  const devices = links && hasDevices ? (engine.devices() as Float32Array<ArrayBuffer>) : null;
  const withLatency = !moving || nowMs - current.lastLatencyMs >= LATENCY_PERIOD_MS;
  const ofClasses = (read: (index: number) => Float64Array) =>
    Array.from({ length: current.classes }, (_, i) => read(i) as Float64Array<ArrayBuffer>);
  const latency = withLatency ? ofClasses((i) => engine.latency(i)) : null;
  const deviceLatency = withLatency && hasDevices ? ofClasses((i) => engine.deviceLatency(i)) : null;
  const stages = withLatency ? (engine.stages() as Float32Array<ArrayBuffer>) : null;
  if (withLatency) {
    current.lastLatencyMs = nowMs;
    current.forecast = engine.forecast(current.computedMs / 1000) ?? null;
  }
  current.rowsSent += rows.length / current.columns;
  current.lastFrameMs = nowMs;
  current.frameInFlight = true;
  current.dirty = false;
  post(
    {
      kind: "frame",
      generation: current.generation,
      phase: time.phase,
      nowUs: time.nowUs,
      rows,
      flowRows,
      deviceRows,
      figures,
      links,
      devices,
      bottleneck: JSON.parse(engine.bottleneck()),
      deadlock: deadlockOf(engine),
      latency,
      stages,
      deviceLatency,
      convergence: withLatency ? JSON.parse(engine.convergence()) : null,
      hopsPerSecond: current.rate.perSecond,
      paced:
        time.speed !== Infinity &&
        time.ahead === null &&
        targetUs(time, nowMs) - time.nowUs < time.speed / 20,
      forecast: current.forecast,
      digest: moving ? null : engine.digest(),
    },
    [
      rows,
      flowRows,
      deviceRows,
      figures,
      links,
      devices,
      stages,
      ...(latency ?? []),
      ...(deviceLatency ?? []),
    ]
      .filter((array) => array !== null)
      .map((array) => array.buffer),
  );
}

/** Loads of the links since they were read last; null while too little has passed to tell. */
function loads(current: Run, nowMs: number, moving: boolean): Float32Array<ArrayBuffer> | null {
  const passedUs = current.time.nowUs - current.lastLoadUs;
  const due = nowMs - current.lastLatencyMs >= LATENCY_PERIOD_MS || !moving;
  if (passedUs <= 0 || (passedUs < LOAD_WINDOW_US && !due)) return null;
  current.lastLoadUs = current.time.nowUs;
  return current.engine.links() as Float32Array<ArrayBuffer>;
}

function deadlockOf(engine: Engine): Deadlock | null {
  const [seenUs, ...links] = engine.deadlock();
  return seenUs === undefined ? null : { seenUs, links };
}

function overlay({ generation, scenario }: { readonly generation: number; readonly scenario: string }): void {
  try {
    post({ kind: "model", generation, overlay: JSON.parse(dtm(scenario)) });
  } catch (error) {
    if (typeof error !== "string") throw error;
    post({ kind: "model", generation, overlay: null });
  }
}

/** Runs an action of the engine. If it traps, nothing of the engine can be trusted any more. */
function guarded(generation: number, action: () => void): void {
  if (dead) return;
  try {
    action();
  } catch (error) {
    trapped(generation, error);
  }
}

/** Says what ended the engine, or kept it from coming, and goes quiet. */
function trapped(generation: number, error: unknown, unfetched = false): void {
  dead = true;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const outOfMemory = error instanceof RangeError || /memory|capacity overflow|alloc/i.test(message);
  const nowUs = run?.time.nowUs ?? 0;
  post({ kind: "trapped", generation, nowUs, message, outOfMemory, unfetched, memoryBytes: memoryBytes() });
}
