import { describe, expect, it } from "vitest";
import { intervalOf, type RunSummary } from "../../run/repeats.ts";
import type { WorkerClient } from "../rpc/workerClient.ts";
import { Repeats, SEED_COUNTS } from "./repeats.ts";
import { allWorkersOf, type RunJob, type RunOutcome, RunPool, workersOf } from "./runPool.ts";
import type { RunApi, RunRequest, RunResult } from "./runProtocol.ts";

/** A worker that notes what it is given, and answers when a test says so. */
class Notebook implements WorkerClient<RunApi> {
  readonly requests: RunRequest[] = [];
  ended = false;
  private readonly pending: {
    readonly resolve: (result: RunResult) => void;
    readonly reject: (error: Error) => void;
  }[] = [];
  private report: (part: number) => void = () => {};
  readonly api = {
    reportTo: async (report: (part: number) => void) => {
      this.report = report;
    },
    run: (request: RunRequest) => {
      this.requests.push(request);
      return new Promise<RunResult>((resolve, reject) => void this.pending.push({ resolve, reject }));
    },
  };
  end() {
    this.ended = true;
  }
  async done(digest: string) {
    this.pending.shift()?.resolve(resultOf(digest));
    await settled();
  }
  async fail(message: string) {
    this.pending.shift()?.reject(new Error(message));
    await settled();
  }
  says(part: number) {
    this.report(part);
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const summaryOf = (digest: string): RunSummary => ({ seed: 1, digest, classes: [] });
const resultOf = (digest: string): RunResult => ({
  json: JSON.stringify(summaryOf(digest)),
  events: 9,
  ms: 4,
});
const job = (id: string, cost?: number): RunJob => ({ id, scenario: id, traces: [], ...(cost && { cost }) });

function makeWorkers() {
  const workers: Notebook[] = [];
  const create = () => {
    const worker = new Notebook();
    workers.push(worker);
    return worker;
  };
  const given = () => workers.flatMap(({ requests }) => requests.map(({ scenario }) => scenario));
  return { workers, create, given };
}

function setUp(side = 2, stay = false) {
  const { workers, create, given } = makeWorkers();
  const outcomes: [string, RunOutcome][] = [];
  const pool = new RunPool(({ id }, outcome) => outcomes.push([id, outcome]), create, side, stay);
  return { pool, workers, given, outcomes, state: () => pool.store.getState() };
}

describe("a pool of runs", () => {
  it("leaves one core to the page where that has a run of its own", () => {
    expect([1, 2, 3, 16].map(workersOf)).toEqual([1, 1, 2, 8]);
    expect([1, 2, 3, 16].map(allWorkersOf)).toEqual([1, 2, 3, 8]);
  });

  it("gives each worker one run at a time", async () => {
    const { pool, workers, given, state } = setUp(2);
    pool.start([job("a"), job("b"), job("c")]);
    expect(workers).toHaveLength(2);
    expect(given()).toEqual(["a", "b"]);
    await workers[0]?.done("1");
    expect(given()).toEqual(["a", "c", "b"]);
    expect(state()).toMatchObject({ phase: "running", wanted: 3, finished: 1 });
  });

  it("hands over each summary, and lets its workers go at the end", async () => {
    const { pool, workers, outcomes, state } = setUp(2);
    pool.start([job("a"), job("b")]);
    await workers[1]?.done("2");
    await workers[0]?.done("1");
    expect(outcomes).toEqual([
      ["b", resultOf("2")],
      ["a", resultOf("1")],
    ]);
    expect(state()).toMatchObject({ phase: "done", finished: 2, failed: 0, part: 1 });
    expect(workers.every(({ ended }) => ended)).toBe(true);
  });

  it("goes on after a run that failed, with a new worker", async () => {
    const { pool, workers, outcomes, state } = setUp(1);
    pool.start([job("a"), job("b")]);
    await workers[0]?.fail("seed must be at least 0");
    expect(workers[0]?.ended).toBe(true);
    expect(workers[1]?.requests).toMatchObject([{ scenario: "b" }]);
    await workers[1]?.done("2");
    expect(outcomes.map(([id]) => id)).toEqual(["a", "b"]);
    expect(outcomes[0]?.[1]).toEqual({ failure: "seed must be at least 0" });
    expect(state()).toMatchObject({ phase: "done", finished: 2, failed: 1 });
  });

  it("takes a worker that broke down for a run that failed", async () => {
    const { pool, workers, outcomes, state } = setUp(1);
    pool.start([job("a")]);
    await workers[0]?.fail("out of memory");
    expect(outcomes).toEqual([["a", { failure: "out of memory" }]]);
    expect(state()).toMatchObject({ phase: "done", failed: 1 });
  });

  it("counts progress by the work that runs are", async () => {
    const { pool, workers, state } = setUp(1);
    pool.start([job("small", 1), job("large", 9)]);
    await workers[0]?.done("1");
    expect(state().part).toBeCloseTo(0.1);
    workers[0]?.says(0.5);
    expect(state().part).toBeCloseTo(0.55);
  });

  it("takes further runs while it is at work, and after", async () => {
    const { pool, workers, given, state } = setUp(1);
    pool.start([job("a")]);
    pool.add([job("b")]);
    expect(state().wanted).toBe(2);
    await workers[0]?.done("1");
    await workers[0]?.done("2");
    expect(state()).toMatchObject({ phase: "done", finished: 2 });
    pool.add([job("c")]);
    expect(given()).toEqual(["a", "b", "c"]);
    expect(state()).toMatchObject({ phase: "running", wanted: 1, finished: 0 });
  });

  it("keeps its workers for what may still be wanted, where it is told to", async () => {
    const { pool, workers, given } = setUp(2, true);
    pool.start([job("a"), job("b")]);
    for (const worker of workers) await worker.done("1");
    expect(pool.store.getState().phase).toBe("done");
    pool.add([job("c"), job("d")]);
    expect(workers).toHaveLength(2);
    expect(given().toSorted()).toEqual(["a", "b", "c", "d"]);
    pool.cancel();
    expect(workers.every(({ ended }) => ended)).toBe(true);
  });

  it("gives a worker of short runs its next one ahead, while there is enough for all", async () => {
    const { pool, workers, outcomes } = setUp(2, true);
    pool.start(["a", "b", "c", "d", "e", "f"].map((id) => job(id)));
    const asked = (at: number) => workers[at]?.requests.map(({ scenario }) => scenario).join("");
    expect([asked(0), asked(1)]).toEqual(["a", "b"]);
    await workers[0]?.done("1");
    expect([asked(0), asked(1)]).toEqual(["acd", "b"]);
    await workers[1]?.done("2");
    expect([asked(0), asked(1)]).toEqual(["acd", "be"]);
    await workers[0]?.done("3");
    expect([asked(0), asked(1)]).toEqual(["acd", "be"]);
    await workers[0]?.fail("trap");
    expect(outcomes.map(([id]) => id)).toEqual(["a", "b", "c", "d"]);
    expect(workers[2]?.requests.map(({ scenario }) => scenario)).toEqual(["f"]);
  });

  it("gives what waited at a worker that failed to others", async () => {
    const { pool, workers } = setUp(1, true);
    pool.start(["a", "b", "c", "d"].map((id) => job(id)));
    await workers[0]?.done("1");
    expect(workers[0]?.requests).toHaveLength(3);
    await workers[0]?.fail("out of memory");
    expect(workers[1]?.requests).toMatchObject([{ scenario: "c" }]);
  });

  it("gives back the runs that nobody has begun", async () => {
    const { pool, workers, state } = setUp(1);
    pool.start([job("a"), job("b"), job("c")]);
    expect(pool.withdraw().map(({ id }) => id)).toEqual(["b", "c"]);
    expect(state()).toMatchObject({ phase: "running", wanted: 1 });
    await workers[0]?.done("1");
    expect(state()).toMatchObject({ phase: "done", finished: 1, part: 1 });
  });

  it("sends a trace to a worker once", async () => {
    const { pool, workers } = setUp(1, true);
    const trace = { name: "disk", bytes: new Uint8Array(3) };
    pool.start([
      { ...job("a"), traces: [trace] },
      { ...job("b"), traces: [trace, { name: "other", bytes: new Uint8Array(1) }] },
    ]);
    await workers[0]?.done("1");
    const sent = workers[0]?.requests.map(({ traces }) => traces.map(({ name }) => name));
    expect(sent).toEqual([["disk"], ["other"]]);
  });

  it("hears nothing of runs that were cancelled", async () => {
    const { pool, workers, outcomes, state } = setUp(1);
    pool.start([job("a"), job("b")]);
    await workers[0]?.done("1");
    pool.cancel();
    await workers[0]?.done("2");
    expect(outcomes.map(([id]) => id)).toEqual(["a"]);
    expect(state()).toMatchObject({ phase: "cancelled", finished: 1, wanted: 2 });
    expect(workers[0]?.ended).toBe(true);
  });
});

describe("repeated runs", () => {
  it("have an interval for every number of seeds offered", () => {
    const half = (count: number) => intervalOf(Array.from({ length: count }, (_, index) => index))?.half;
    expect(SEED_COUNTS.map(half).every(Number.isFinite)).toBe(true);
  });

  const wish = { scenarios: [{ name: "A" }, { name: "B" }], seeds: [1, 2], traces: [] };
  const repeating = () => {
    const { workers, create, given } = makeWorkers();
    const repeats = new Repeats(create, 1);
    repeats.start(wish);
    return { repeats, worker: workers[0] as Notebook, given, state: () => repeats.store.getState() };
  };

  it("run the scenarios of one seed after each other", async () => {
    const { worker, given, state } = repeating();
    for (const digest of ["1", "2", "3", "4"]) await worker.done(digest);
    expect(given().map((text) => JSON.parse(text))).toEqual([
      { name: "A", seed: 1 },
      { name: "B", seed: 1 },
      { name: "A", seed: 2 },
      { name: "B", seed: 2 },
    ]);
    expect(state()).toMatchObject({ phase: "done", wanted: 4, finished: 4, part: 1 });
    expect(state().seeds.map(({ summaries }) => summaries.map((summary) => summary?.digest))).toEqual([
      ["1", "2"],
      ["3", "4"],
    ]);
  });

  it("keep what is done where they are cancelled", async () => {
    const { repeats, worker, state } = repeating();
    await worker.done("1");
    repeats.cancel();
    expect(state()).toMatchObject({ phase: "cancelled", finished: 1 });
    expect(state().seeds[0]?.summaries).toEqual([summaryOf("1"), undefined]);
  });

  it("end with the sentence of the first that fails", async () => {
    const { worker, given, state } = repeating();
    await worker.fail("seed must be at least 0");
    expect(state()).toMatchObject({ phase: "failed", sentence: "seed must be at least 0" });
    expect(given()).toHaveLength(1);
  });
});
