import { describe, expect, it } from "vitest";
import { setPath } from "../../scenario/path.ts";
import { SCENARIOS } from "../../scenario/presets.ts";
import type { Scenario } from "../../scenario/types.ts";
import { Planner } from "./planner.ts";
import type { PlanReply, PlanRequest } from "./planProtocol.ts";

/** A worker that only notes what it is told. */
class Notebook {
  readonly requests: PlanRequest[] = [];
  ended = false;
  onmessage: ((event: { data: PlanReply }) => void) | null = null;
  onerror: ((event: { message: string; preventDefault(): void }) => void) | null = null;
  postMessage(request: PlanRequest) {
    this.requests.push(request);
  }
  terminate() {
    this.ended = true;
  }
  say(data: PlanReply) {
    this.onmessage?.({ data });
  }
}

const scenario = SCENARIOS["paper4-fig7-nested"] as Scenario;
const SCHEDULERS = ["nested", "fcfs"];
const withBurst = (burst: number) => setPath(scenario, "classes[0].contract[0].burst", burst);

function setUp() {
  const workers: Notebook[] = [];
  const traces = new Map<string, Uint8Array<ArrayBuffer>>();
  const planner = new Planner(traces, () => {
    const worker = new Notebook();
    workers.push(worker);
    return worker as unknown as Worker;
  });
  const kinds = () => workers.at(-1)?.requests.map(({ kind }) => kind) ?? [];
  return { planner, workers, traces, kinds };
}

const loaded = (generation: number): PlanReply => ({
  kind: "loaded",
  generation,
  standIns: [],
  tenants: [{ name: "WebSearch", requests: 10, rateIops: 1, lastUs: 1e6 }],
});

const needs = (generation: number, wish: number, needIops: number): PlanReply => ({
  kind: "needs",
  generation,
  wish,
  needs: { capacityIops: 528, needIops, leftIops: 0, tenants: [] },
});

describe("the planner of the page", () => {
  it("loads workloads once, and takes other contracts and capacities for wishes", () => {
    const { planner, kinds } = setUp();
    planner.load(scenario, SCHEDULERS);
    planner.wish(scenario);
    planner.load(withBurst(12), SCHEDULERS);
    planner.wish(withBurst(12));
    planner.wish(withBurst(12));
    expect(kinds()).toEqual(["load", "wish", "wish"]);
    planner.load({ ...scenario, seed: 7 }, SCHEDULERS);
    expect(kinds().at(-1)).toBe("load");
  });

  it("keeps measured arrivals while only contracts change, and prefers those of a whole run", () => {
    const { planner } = setUp();
    expect(planner.arrivals(scenario, null, false)).toBeNull();
    expect(planner.arrivals(scenario, [5, 1], false)).toEqual([5, 1]);
    // The run starts again with the contract: it has measured nothing, then less.
    expect(planner.arrivals(withBurst(12), null, false)).toEqual([5, 1]);
    expect(planner.arrivals(withBurst(12), [1, 0.2], false)).toEqual([5, 1]);
    expect(planner.arrivals(withBurst(12), [6, 1], true)).toEqual([6, 1]);
    expect(planner.arrivals(withBurst(13), [2, 1], false)).toEqual([6, 1]);
    expect(planner.arrivals({ ...scenario, seed: 7 }, null, false)).toBeNull();
  });

  it("drops what is about a scenario or a wish before the last", () => {
    const { planner, workers } = setUp();
    planner.load(scenario, SCHEDULERS);
    planner.load({ ...scenario, seed: 7 }, SCHEDULERS);
    workers[0]?.say(loaded(1));
    expect(planner.store.getState().phase).toBe("waiting");
    workers[0]?.say(loaded(2));
    planner.wish(withBurst(12));
    planner.wish(withBurst(13));
    const outcome = (wish: number): PlanReply => ({
      kind: "outcome",
      generation: 2,
      wish,
      scheduler: "nested",
      tenants: [],
    });
    workers[0]?.say(outcome(1));
    expect(planner.store.getState().outcomes).toEqual({});
    // What follows at once from a wish is shown on the way to the last one.
    workers[0]?.say(needs(2, 1, 500));
    expect(planner.store.getState().needs?.needIops).toBe(500);
    workers[0]?.say(outcome(2));
    expect(planner.store.getState().outcomes).toEqual({ nested: [] });
  });

  it("says which outcomes are of contracts before the last, until others come", () => {
    const { planner, workers } = setUp();
    planner.load(scenario, SCHEDULERS);
    workers[0]?.say(loaded(1));
    planner.wish(scenario);
    const outcome = { kind: "outcome", generation: 1, scheduler: "nested", tenants: [] } as const;
    workers[0]?.say({ ...outcome, wish: 1 });
    expect(planner.store.getState().behind.has("nested")).toBe(false);
    planner.wish(withBurst(12));
    expect(planner.store.getState().behind.has("nested")).toBe(true);
    workers[0]?.say({ ...outcome, wish: 2 });
    expect(planner.store.getState().behind.has("nested")).toBe(false);
  });

  it("hands traces on before the scenario that waits for them, each once", () => {
    const { planner, traces, kinds } = setUp();
    planner.load(scenario, SCHEDULERS);
    traces.set("bank.spc", new Uint8Array(8));
    planner.load(scenario, SCHEDULERS);
    expect(kinds()).toEqual(["load", "trace", "load"]);
    planner.load(scenario, SCHEDULERS);
    expect(kinds()).toHaveLength(3);
  });

  it("keeps diagnostics until the scenario is another", () => {
    const { planner, workers } = setUp();
    planner.load(scenario, SCHEDULERS);
    const diagnostics = [
      { path: "workloads[0].traffic.kind", reason: "follows", hint: "Choose.", severity: "error" as const },
    ];
    workers[0]?.say({ kind: "diagnostics", generation: 1, diagnostics });
    expect(planner.store.getState()).toMatchObject({ phase: "refused", diagnostics });
    planner.load({ ...scenario, seed: 7 }, SCHEDULERS);
    workers[0]?.say(loaded(2));
    expect(planner.store.getState()).toMatchObject({ phase: "ready", diagnostics: [] });
  });

  it("ends a worker that failed, and begins anew when asked", () => {
    const { planner, workers, traces } = setUp();
    traces.set("bank.spc", new Uint8Array(8));
    planner.load(scenario, SCHEDULERS);
    workers[0]?.say({ kind: "failed", message: "RuntimeError: unreachable" });
    expect(workers[0]?.ended).toBe(true);
    expect(planner.store.getState()).toMatchObject({ phase: "failed", failure: "RuntimeError: unreachable" });
    planner.renew();
    planner.load(scenario, SCHEDULERS);
    expect(workers[1]?.requests.map(({ kind }) => kind)).toEqual(["trace", "load"]);
  });

  it("is told how far it is, and called off", () => {
    const { planner, workers, kinds } = setUp();
    planner.load(scenario, SCHEDULERS);
    workers[0]?.say(loaded(1));
    workers[0]?.say({ kind: "progress", generation: 1, of: "bursts", share: 0.25 });
    expect(planner.store.getState().progress).toEqual({ of: "bursts", share: 0.25 });
    planner.cancel();
    expect(kinds().at(-1)).toBe("cancel");
    expect(planner.store.getState()).toMatchObject({ cancelled: true, progress: null });
    planner.wish(withBurst(12));
    expect(planner.store.getState().cancelled).toBe(false);
  });
});
