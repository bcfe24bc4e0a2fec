import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import threeWriters from "../../../../scenarios/presets/three-writers.json";
import { setPaths } from "../../scenario/path.ts";
import { createScenarioStore } from "../../scenario/store.ts";
import type { Change, Scenario } from "../../scenario/types.ts";
import { EngineClient } from "./client.ts";
import type { FieldChange, Reply, Request } from "./protocol.ts";
import { createSession } from "./session.ts";
import { frameOf, loaded } from "./testWorker.ts";

const scenario = threeWriters as unknown as Scenario;

/**
 * A worker that does what the engine does, but for simulating, one request at a time and only when it is told to: it refuses
 * negative values, records live changes where its run stands, and tells frames on its way.
 */
class ScriptedWorker {
  onmessage: ((event: { data: Reply }) => void) | null = null;
  onerror = null;
  private readonly inbox: Request[] = [];
  run: { generation: number; document: Scenario; nowUs: number; toUs: number; playing: boolean } | null =
    null;

  postMessage(request: Request): void {
    if (request.kind !== "taken" && request.kind !== "hold") this.inbox.push(request);
  }

  terminate(): void {}

  get isIdle(): boolean {
    return this.inbox.length === 0 && (this.run === null || this.run.nowUs >= this.run.toUs);
  }

  /** Answers the next request; where there is none, comes to where the run was to go. */
  next(): void {
    const request = this.inbox.shift();
    if (request) this.answer(request);
    else if (this.run) this.advance(this.run.toUs);
  }

  /** Simulates for a while, if the run is not there or plays. */
  advance(toUs: number): void {
    const { run } = this;
    if (!run || (!run.playing && run.nowUs >= run.toUs)) return;
    run.nowUs = Math.max(run.nowUs, run.playing ? toUs : Math.min(toUs, run.toUs));
    this.frame();
  }

  private frame(): void {
    const { run } = this;
    if (!run) return;
    const inForce = (run.document.timeline ?? []).filter(({ atUs }) => atUs <= run.nowUs).length;
    const frame = frameOf(run.generation, run.nowUs, run.playing ? "running" : "paused");
    this.reply({ ...frame, changesInForce: inForce });
  }

  private answer(request: Request): void {
    if (request.kind === "ping") this.reply({ kind: "pong", memoryBytes: 0 });
    if (request.kind === "ping" || request.kind === "trace") return;
    const { generation } = request;
    const { run } = this;
    const refuse = (of: "load" | "change") =>
      this.reply({
        kind: "diagnostics",
        generation,
        of,
        diagnostics: [{ path: "", reason: "", hint: "", severity: "error" }],
      });
    if (request.kind === "load") {
      const { of, json } = request.document;
      const { timeline: _, ...base } = run?.document ?? scenario;
      const timeline: Change[] = of === "timeline" ? JSON.parse(json) : [];
      const document: Scenario =
        of === "scenario" ? JSON.parse(json) : timeline.length > 0 ? { ...base, timeline } : base;
      if (isBad(document)) {
        refuse("load");
        return;
      }
      const { fromUs: toUs, playing } = request;
      this.run = { generation, document, nowUs: 0, toUs, playing };
      this.reply(loaded(generation));
      this.frame();
    } else if (!run || generation !== run.generation) return;
    else if (request.kind === "change") {
      if (request.changes.some(({ value }) => Number(value) < 0)) {
        refuse("change");
        return;
      }
      const made = request.changes.map(({ path, value }) => ({ atUs: run.nowUs, path, value }));
      const before = run.document.timeline ?? [];
      const place = before.filter(({ atUs }) => atUs <= run.nowUs).length;
      const timeline = [...before.slice(0, place), ...made, ...before.slice(place)];
      run.document = { ...run.document, timeline };
      const changesInForce = place + made.length;
      this.reply({ kind: "changed", generation, timeline, changesInForce });
    } else if (request.kind === "play") run.playing = true;
    else if (request.kind === "pause") run.playing = false;
    else if (request.kind === "step") run.toUs = run.nowUs + request.us;
  }

  private reply(data: Reply): void {
    this.onmessage?.({ data });
  }
}

const LIVE = ["switch.ecnThresholdPackets", "switch.bufferPackets"];
const EDITED = ["seed", "measurement.warmupUs"];

const isBad = (document: Scenario): boolean =>
  /"(ecnThresholdPackets|bufferPackets|seed|warmupUs|value)":-/.test(JSON.stringify(document));

/** What a person or the worker does next. */
type Act =
  | { readonly kind: "change"; readonly path: string; readonly choosing: boolean; readonly good: boolean }
  | { readonly kind: "undo" | "redo" | "letGo" | "answer" | "advance" | "play" | "pause" | "restart" }
  | { readonly kind: "seek"; readonly us: number };

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Act>({ kind: "answer" }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("change" as const),
      path: fc.constantFrom(...LIVE, ...EDITED),
      choosing: fc.boolean(),
      good: fc.boolean(),
    }),
  },
  fc.constantFrom<Act[]>(
    { kind: "undo" },
    { kind: "redo" },
    { kind: "letGo" },
    { kind: "advance" },
    { kind: "play" },
    { kind: "pause" },
    { kind: "restart" },
  ),
  fc.record({ kind: fc.constant("seek" as const), us: fc.integer({ min: 1, max: 5000 }) }),
);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const worker = new ScriptedWorker();
  const session = createSession(
    createScenarioStore(scenario),
    { reducedMotion: false },
    (onReply) => new EngineClient(onReply, () => worker as unknown as Worker),
  );
  session.begin(scenario);
  let value = 100;
  let us = 0;
  const does = (next: Act): FieldChange | null => {
    switch (next.kind) {
      case "change": {
        value++;
        const change = { path: next.path, value: next.good ? value : -value };
        session.change([change], next.choosing);
        return change;
      }
      case "letGo":
        vi.advanceTimersByTime(1000);
        break;
      case "answer":
        worker.next();
        break;
      case "advance":
        us = Math.min(us + 200, 5900);
        worker.advance(us);
        break;
      case "seek":
        session.seek(next.us);
        break;
      default:
        session[next.kind]();
    }
    return null;
  };
  /** Nothing is chosen, sent, or on its way any more. */
  const settle = () => {
    vi.advanceTimersByTime(1000);
    for (let rounds = 0; rounds < 500 && !worker.isIdle; rounds++) worker.next();
    expect(worker.isIdle).toBe(true);
  };
  return { session, worker, does, settle };
}

/** An edit while one that was refused is tried without what came after it. */
const EDITED_IN_TRIAL: Act[] = [
  { kind: "change", path: "switch.bufferPackets", choosing: false, good: false },
  { kind: "change", path: "switch.ecnThresholdPackets", choosing: false, good: true },
  { kind: "answer" },
  { kind: "answer" },
  { kind: "change", path: "switch.ecnThresholdPackets", choosing: false, good: true },
];

/** A redo, which finds nothing to redo, while an edit is left out. */
const REDO_IN_TRIAL: Act[] = [
  { kind: "change", path: "switch.ecnThresholdPackets", choosing: false, good: true },
  { kind: "change", path: "switch.ecnThresholdPackets", choosing: false, good: false },
  { kind: "answer" },
  { kind: "answer" },
  { kind: "redo" },
];

const withoutTimeline = ({ timeline: _, ...rest }: Scenario) => rest;

it("whatever the order of answers, the page ends with the document that the engine runs", () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
      const { session, worker, does, settle } = setUp();
      for (const next of acts) does(next);
      settle();
      expect(worker.run?.document).toEqual(JSON.parse(JSON.stringify(session.scenario)));
      expect(isBad(session.scenario)).toBe(false);
      expect(session.run.getState()).toMatchObject({ pending: {}, generation: worker.run?.generation });
      expect(session.run.getState().phase).not.toBe("loading");
    }),
    { numRuns: 60, examples: [[REDO_IN_TRIAL]] },
  );
});

it("every change that the engine can make is made once, and each is a step of undo", () => {
  const changes = fc.array(
    act.filter(({ kind }) => kind !== "undo" && kind !== "redo" && kind !== "restart"),
    { maxLength: 25 },
  );
  fc.assert(
    fc.property(changes, (acts) => {
      const { session, does, settle } = setUp();
      // A gesture that goes on is one change, with the last of its values.
      const made = acts.flatMap((next) => {
        const change = does(next.kind === "change" ? { ...next, choosing: false } : next);
        return change && Number(change.value) > 0 ? [change] : [];
      });
      settle();
      const { timeline = [] } = session.scenario;
      const live = timeline.map(({ path, value }) => ({ path, value }));
      const edits = made.filter((change) => !live.some(({ value }) => value === change.value));
      expect(new Set(live.map(({ value }) => value)).size).toBe(live.length);
      expect(live.every((change) => made.some(({ value }) => value === change.value))).toBe(true);
      expect(withoutTimeline(session.scenario)).toEqual(setPaths(scenario, edits));

      const steps = session.store.getState().history.past.length;
      for (let step = 0; step < steps; step++) {
        session.undo();
        settle();
      }
      expect(session.scenario).toBe(scenario);
      for (let step = 0; step < steps; step++) {
        session.redo();
        settle();
      }
      expect(session.store.getState().history.future).toEqual([]);
    }),
    { numRuns: 60, examples: [[EDITED_IN_TRIAL]] },
  );
});

it("undos and redos in a row come to the same, answered at once or late", () => {
  const moves = fc.array(fc.constantFrom<Act["kind"][]>("undo", "redo"), { maxLength: 8 });
  const paths = fc.array(fc.constantFrom(...LIVE, ...EDITED), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(
      paths,
      moves,
      fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }),
      (changed, steps, late) => {
        const ends = [true, false].map((patient) => {
          const { session, does, settle } = setUp();
          settle();
          const kinds = [
            ...changed.map((path) => ({ kind: "change", path, choosing: false, good: true }) as const),
            ...steps.map((kind) => ({ kind }) as Act),
          ];
          kinds.forEach((next, i) => {
            does(next);
            if (patient) settle();
            else if (late[i]) does({ kind: "answer" });
          });
          settle();
          const { past, future } = session.store.getState().history;
          return { past: past.length, future: future.length };
        });
        expect(ends[1]).toEqual(ends[0]);
      },
    ),
    { numRuns: 20 },
  );
});
