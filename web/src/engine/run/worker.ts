/// <reference lib="webworker" />

import type { ScenarioExplanation } from "../../generated/answers.d.ts";
import init, { Engine, type Following, TraceShelf } from "../../generated/wasm/qoscope_wasm.js";
import { eventOf } from "../../run/events.ts";
import { beyondDocument } from "../../scenario/explanation.ts";
import type { Diagnostic } from "../../scenario/types.ts";
import { engineReady } from "../rpc/module.ts";
import { nextBudget, RateMeter } from "./pacing.ts";
import type { FieldChange, LoadRequest, Reply, Request, RunRequest, Wish } from "./protocol.ts";
import { detoursOf, memoryOf, modelOf, Reader } from "./reading.ts";
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
/** Wall time between two frames with all that is read of a run. */
const WHOLE_PERIOD_MS = 100;

interface Run {
  readonly generation: number;
  readonly engine: Engine;
  readonly reader: Reader;
  readonly framePeriodMs: number;
  readonly rate: RateMeter;
  time: TimeControl;
  hops: number;
  /** How long it has computed; NaN where that is not known from its start on. */
  computedMs: number;
  /** How long it will compute on, in words; null where that is soon or not known. */
  forecast: string | null;
  /** Events of the next slice. */
  budget: number;
  /** What the page has been sent of it. */
  frames: { readonly lastMs: number; readonly lastWholeMs: number; readonly inFlight: boolean };
  /** Something changed that no frame has told yet. */
  dirty: boolean;
  /** Changes that had taken effect when the parameters were explained last. */
  changesInForce: number;
  /** The discrete-time model has not been asked about the changes made last. */
  modelDue: boolean;
  /** A copy of the run that follows a request, and the events of its next slice. */
  following: { readonly of: Following; budget: number } | null;
}

let run: Run | null = null;
let traces: TraceShelf | null = null;
/** Traces have come since the engine was made. */
let hasNewTraces = false;
let memoryBytes = () => 0;
let dead = false;

const ready = engineReady(init).then(
  (exports) => {
    memoryBytes = () => exports.memory.buffer.byteLength;
    pong();
  },
  (error) => trapped(0, error, true),
);

// The mailbox.

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
  guarded(data.generation, () => {
    if (data.kind === "load") load(data);
    else if (run && data.generation === run.generation) control(run, data);
  });
  wake();
};

// A run from its start to its end.

function load(request: LoadRequest): void {
  const { generation, framePeriodMs, speed, playing, fromUs } = request;
  if (run) stopFollowing(run);
  const engine = attempt(generation, "load", () => engineOf(request));
  if (!engine) return;
  const layout = JSON.parse(engine.layout());
  const ms = performance.now();
  const nowUs = engine.nowPs() / PS_PER_US;
  run = {
    generation,
    engine,
    reader: new Reader(engine, layout),
    framePeriodMs,
    rate: new RateMeter(),
    time: startTime(engine.durationPs() / PS_PER_US, speed, ms),
    hops: engine.packetHops(),
    // A run that went back has computed what is behind it in another life.
    computedMs: nowUs > 0 ? Number.NaN : 0,
    forecast: null,
    budget: 50_000,
    frames: { lastMs: 0, lastWholeMs: 0, inFlight: false },
    dirty: true,
    changesInForce: engine.changesInForce(),
    modelDue: true,
    following: null,
  };
  command(run, { kind: "reached", nowUs, ms });
  if (playing) command(run, { kind: "play", ms });
  command(run, { kind: "jump", toUs: fromUs, ms });
  const warnings = JSON.parse(engine.warnings());
  const reading = { detours: detoursOf(engine) };
  post({ kind: "loaded", generation, layout, explanation: explained(engine), warnings, reading });
}

/** The engine of a run to be: the present one, gone back in time as little as it must, or a new one. */
function engineOf({ document, fromUs }: LoadRequest): Engine {
  const untilPs = Math.floor(fromUs * PS_PER_US);
  if (run && document.of === "timeline") {
    run.engine.reloadTimeline(document.json, untilPs);
    return run.engine;
  }
  if (run && !hasNewTraces) {
    run.engine.reload(document.json, untilPs);
    return run.engine;
  }
  const engine = traces ? Engine.withTraces(document.json, traces) : new Engine(document.json);
  run?.engine.free();
  run = null;
  hasNewTraces = false;
  return engine;
}

function control(current: Run, request: Exclude<RunRequest, LoadRequest>): void {
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
      current.frames = { ...current.frames, inFlight: false };
      break;
  }
}

function command(current: Run, wish: TimeCommand): void {
  current.time = reduceTime(current.time, wish);
  current.dirty = true;
}

/** Passes the next event, or says when the last one was: going back is the page's to do. */
function goByEvent(current: Run, go: "on" | "back"): void {
  const { engine, generation } = current;
  command(current, { kind: "pause" });
  const event = eventOf(go === "on" ? engine.stepEvent() : engine.lastEvent());
  if (go === "on")
    command(current, { kind: "reached", nowUs: engine.nowPs() / PS_PER_US, ms: performance.now() });
  post({ kind: "event", generation, go, event });
}

function change(current: Run, changes: readonly FieldChange[]): void {
  const { generation, engine, time } = current;
  const applied = attempt(generation, "change", () => {
    if (time.phase === "ended") throw JSON.stringify(changes.map(tooLate));
    engine.applyAll(JSON.stringify(changes));
    return true;
  });
  if (!applied) return;
  current.dirty = true;
  current.modelDue = true;
  const timeline = JSON.parse(engine.timeline());
  post({ kind: "changed", generation, timeline, changesInForce: engine.changesInForce() });
  explainAnew(current);
}

/** The last slice may end a run between a person's choice and its arrival here. */
const tooLate = ({ path }: FieldChange): Diagnostic => ({
  path,
  reason: "was changed after the run had ended",
  hint: "Change it again to run the scenario with it from the start.",
  severity: "error",
});

/** Says the hash that the scenario has with what it tells its readers now. */
function annotate({ generation, engine }: Run, scenario: string): void {
  const hash = attempt(generation, "annotate", () => engine.annotate(scenario));
  if (hash !== null) post({ kind: "annotated", generation, reading: { hash } });
}

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

/** What the engine says of the parameters as they are now. */
const explained = (engine: Engine): ScenarioExplanation =>
  beyondDocument(JSON.parse(engine.explain()) as ScenarioExplanation);

/** Explains the parameters again when a change of them has taken effect. */
function explainAnew(current: Run): void {
  const { engine, generation } = current;
  const changesInForce = engine.changesInForce();
  if (changesInForce === current.changesInForce) return;
  current.changesInForce = changesInForce;
  const reading = { detours: detoursOf(engine) };
  post({ kind: "explained", generation, explanation: explained(engine), reading });
}

// Slices of work.

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

/** One slice of everything there is to do. */
function turn(): void {
  waiting = false;
  const current = run;
  if (!current) return;
  guarded(current.generation, () => {
    simulate(current);
    const moving = isMoving(current.time);
    tell(current, moving);
    if (moving) wake(hasPauseAhead(current.time) ? 4 : 0);
    if (current.following) followOn(current, current.following);
    if (current.modelDue) askModel(current);
  });
}

/** Simulates for a slice, if time is to move. */
function simulate(current: Run): void {
  const { time, engine, rate } = current;
  const started = performance.now();
  const target = targetUs(time, started);
  if (!isMoving(time) || target <= time.nowUs) return;
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

/** Whether what is due at the chosen speed is too little for a slice of its own. */
function hasPauseAhead(time: TimeControl): boolean {
  const worthUs = time.speed === Infinity ? 0 : (time.speed / 1000) * 4;
  return targetUs(time, performance.now()) - time.nowUs <= worthUs;
}

/** Sends a frame where there is something to tell and the page is ready for it. */
function tell(current: Run, moving: boolean): void {
  const { engine, time, generation, frames } = current;
  const nowMs = performance.now();
  const isDue = !moving || nowMs - frames.lastMs >= current.framePeriodMs;
  if (!current.dirty || frames.inFlight || !isDue) return;
  explainAnew(current);
  const isWhole = !moving || nowMs - frames.lastWholeMs >= WHOLE_PERIOD_MS;
  const reading = current.reader.read(isWhole ? "all" : "usual");
  if (isWhole) current.forecast = engine.forecast(current.computedMs / 1000) ?? null;
  current.frames = { lastMs: nowMs, lastWholeMs: isWhole ? nowMs : frames.lastWholeMs, inFlight: true };
  current.dirty = false;
  const frame: Reply = {
    kind: "frame",
    generation,
    phase: time.phase,
    reading,
    changesInForce: current.changesInForce,
    hopsPerSecond: current.rate.perSecond,
    paced:
      time.speed !== Infinity && time.ahead === null && targetUs(time, nowMs) - time.nowUs < time.speed / 20,
    forecast: current.forecast,
    digest: moving ? null : engine.digest(),
  };
  post(frame, memoryOf(reading));
}

/** Asks the discrete-time model about the scenario, changes included: it may have nothing to say. */
function askModel(current: Run): void {
  const { engine, generation } = current;
  current.modelDue = false;
  const said = (): string | null => {
    try {
      return engine.model();
    } catch (error) {
      if (typeof error !== "string") throw error;
      return null;
    }
  };
  post({ kind: "model", generation, reading: { model: modelOf(said() ?? "null") } });
}

// A request that is followed, beside the run.

/** Begins to follow a request, in the place of any other. */
function follow(current: Run, { class: number, operation, of }: Wish): void {
  stopFollowing(current);
  const reads = operation === "all" ? undefined : operation === "reads";
  current.following = { of: current.engine.follow(number, reads, of), budget: 10_000 };
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

function stopFollowing(current: Run): void {
  current.following?.of.free();
  current.following = null;
}

// What ends the engine.

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
