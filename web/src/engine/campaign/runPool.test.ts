import { describe, expect, it } from "vitest";
import type { WorkerClient } from "../rpc/workerClient.ts";
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
const resultOf = (digest: string): RunResult => ({
  json: JSON.stringify({ digest }),
  events: 9,
  simulatedUs: 1,
  ms: 4,
});
const job = (id: string): RunJob => ({ id, scenario: id, traces: [] });

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
    pool.add([job("a"), job("b"), job("c")]);
    expect(workers).toHaveLength(2);
    expect(given()).toEqual(["a", "b"]);
    await workers[0]?.done("1");
    expect(given()).toEqual(["a", "c", "b"]);
    expect(state()).toMatchObject({ wanted: 3, finished: 1 });
  });

  it("hands over each summary, and lets its workers go at the end", async () => {
    const { pool, workers, outcomes, state } = setUp(2);
    pool.add([job("a"), job("b")]);
    await workers[1]?.done("2");
    await workers[0]?.done("1");
    expect(outcomes).toEqual([
      ["b", resultOf("2")],
      ["a", resultOf("1")],
    ]);
    expect(state()).toMatchObject({ wanted: 2, finished: 2, inProgress: 0 });
    expect(workers.every(({ ended }) => ended)).toBe(true);
  });

  it("goes on after a run that failed, with a new worker", async () => {
    const { pool, workers, outcomes, state } = setUp(1);
    pool.add([job("a"), job("b")]);
    await workers[0]?.fail("seed must be at least 0");
    expect(workers[0]?.ended).toBe(true);
    expect(workers[1]?.requests).toMatchObject([{ scenario: "b" }]);
    await workers[1]?.done("2");
    expect(outcomes.map(([id]) => id)).toEqual(["a", "b"]);
    expect(outcomes[0]?.[1]).toEqual({ failure: "seed must be at least 0" });
    expect(state()).toMatchObject({ wanted: 2, finished: 2 });
  });

  it("takes a worker that broke down for a run that failed", async () => {
    const { pool, workers, outcomes, state } = setUp(1);
    pool.add([job("a")]);
    await workers[0]?.fail("out of memory");
    expect(outcomes).toEqual([["a", { failure: "out of memory" }]]);
    expect(state()).toMatchObject({ wanted: 1, finished: 1 });
  });

  it("reports the simulated share of runs in progress", async () => {
    const { pool, workers, state } = setUp(2);
    pool.add([job("a"), job("b"), job("c")]);
    workers[0]?.says(0.5);
    workers[1]?.says(0.25);
    expect(state().inProgress).toBe(0.75);
    await workers[0]?.done("1");
    expect(state()).toMatchObject({ finished: 1, inProgress: 0.25 });
  });

  it("takes further runs while it is at work, and after", async () => {
    const { pool, workers, given, state } = setUp(1);
    pool.add([job("a")]);
    pool.add([job("b")]);
    expect(state().wanted).toBe(2);
    await workers[0]?.done("1");
    await workers[0]?.done("2");
    expect(state()).toMatchObject({ wanted: 2, finished: 2 });
    pool.add([job("c")]);
    expect(given()).toEqual(["a", "b", "c"]);
    expect(state()).toMatchObject({ wanted: 1, finished: 0 });
  });

  it("keeps its workers for what may still be wanted, where it is told to", async () => {
    const { pool, workers, given } = setUp(2, true);
    pool.add([job("a"), job("b")]);
    for (const worker of workers) await worker.done("1");
    pool.add([job("c"), job("d")]);
    expect(workers).toHaveLength(2);
    expect(given().toSorted()).toEqual(["a", "b", "c", "d"]);
    pool.reset();
    expect(workers.every(({ ended }) => ended)).toBe(true);
  });

  it("gives a worker of short runs its next one ahead, while there is enough for all", async () => {
    const { pool, workers, outcomes } = setUp(2, true);
    pool.add(["a", "b", "c", "d", "e", "f"].map((id) => job(id)));
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
    pool.add(["a", "b", "c", "d"].map((id) => job(id)));
    await workers[0]?.done("1");
    expect(workers[0]?.requests).toHaveLength(3);
    await workers[0]?.fail("out of memory");
    expect(workers[1]?.requests).toMatchObject([{ scenario: "c" }]);
  });

  it("gives back the runs that nobody has begun", async () => {
    const { pool, workers, state } = setUp(1);
    pool.add([job("a"), job("b"), job("c")]);
    expect(pool.withdraw().map(({ id }) => id)).toEqual(["b", "c"]);
    expect(state()).toMatchObject({ wanted: 1, finished: 0 });
    await workers[0]?.done("1");
    expect(state()).toMatchObject({ wanted: 1, finished: 1 });
  });

  it("sends a trace to a worker once", async () => {
    const { pool, workers } = setUp(1, true);
    const trace = { name: "disk", bytes: new Uint8Array(3) };
    pool.add([
      { ...job("a"), traces: [trace] },
      { ...job("b"), traces: [trace, { name: "other", bytes: new Uint8Array(1) }] },
    ]);
    await workers[0]?.done("1");
    const sent = workers[0]?.requests.map(({ traces }) => traces.map(({ name }) => name));
    expect(sent).toEqual([["disk"], ["other"]]);
  });

  it("hears nothing of runs that were cancelled", async () => {
    const { pool, workers, outcomes, state } = setUp(1);
    pool.add([job("a"), job("b")]);
    await workers[0]?.done("1");
    pool.reset();
    await workers[0]?.done("2");
    expect(outcomes.map(([id]) => id)).toEqual(["a"]);
    expect(state()).toEqual({ wanted: 0, finished: 0, inProgress: 0 });
    expect(workers[0]?.ended).toBe(true);
  });
});
