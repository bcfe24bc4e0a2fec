import { describe, expect, it, vi } from "vitest";
import type { FigureNeed, FigureRow } from "../../../generated/answers.d.ts";
import type { RunSummary } from "../../../run/repeats.ts";
import type { WorkerClient } from "../../rpc/workerClient.ts";
import type { RunApi, RunRequest, RunResult } from "../runProtocol.ts";
import { type FigureEngine, FigureRuns } from "./figureRuns.ts";

/** A worker that simulates at once: the digest of a run is the text of its scenario. `held` ones answer when they are told to. */
class Instant implements WorkerClient<RunApi> {
  static made: Instant[] = [];
  static held = false;
  static failing = "";
  static ran: string[] = [];
  private go: (() => void) | null = null;
  constructor() {
    Instant.made.push(this);
  }
  readonly api = {
    reportTo: async () => {},
    run: ({ scenario }: RunRequest) =>
      new Promise<RunResult>((resolve, reject) => {
        this.go = () => {
          Instant.ran.push(scenario);
          const summary: RunSummary = { seed: 1, digest: scenario, classes: [] };
          if (Instant.failing !== "" && scenario.includes(Instant.failing))
            reject(new Error("The engine failed."));
          else resolve({ json: JSON.stringify(summary), events: 1000, ms: 10 });
        };
        if (!Instant.held) queueMicrotask(() => this.answer());
      }),
  };
  end() {
    this.go = null;
  }
  answer() {
    const { go } = this;
    this.go = null;
    go?.();
  }
}

const row = (ours: string): FigureRow => ({
  case: "",
  quantity: "one",
  reference: "1",
  ours,
  band: "",
  distance: "",
  verdict: "reproduced",
  outcome: "reproduced",
  cause: null,
  published: 1,
  mean: 1,
  low: 1,
  high: 1,
  bandLow: null,
  bandHigh: null,
});

/** An engine whose only row says how many seeds there are of every run. */
function engineOf(needs: readonly FigureNeed[], scenarios: (run: string, seed: number) => readonly object[]) {
  const kept: string[] = [];
  let ended = false;
  const engine: FigureEngine = {
    needs,
    scenarios: async (run, seed) => scenarios(run, seed),
    put: async (run, seed, summaries) => {
      kept.push(`${run} ${seed} ${(summaries as RunSummary[]).length}`);
    },
    models: async () => {},
    rows: async () => [kept.length < 2 ? null : row(`${kept.length}`)],
    digest: async () =>
      kept.length === needs.reduce((sum, { seeds }) => sum + seeds, 0) ? kept.join() : null,
    end: () => {
      ended = true;
    },
  };
  return { engine, kept, hasEnded: () => ended };
}

const need = (run: string, seeds: number): FigureNeed => ({ run, title: run, seeds, scenario: run });
const simple = (run: string, seed: number) => [{ run, seed }];

function setUp(engines: Readonly<Record<string, FigureEngine>>, side = 2) {
  Instant.made = [];
  Instant.held = false;
  Instant.failing = "";
  Instant.ran = [];
  const runs = new FigureRuns(
    async (json) => engines[json] as FigureEngine,
    () => new Instant(),
    side,
  );
  const state = () => runs.store.getState();
  const idle = () => vi.waitFor(() => expect(state().asked).toEqual([]));
  const start = (...ids: string[]) => runs.start(ids.map((id) => ({ id, json: id, events: 1000 })));
  return { runs, state, idle, start };
}

describe("figures that are run again", () => {
  it("make every run under every seed, the first seeds of all of them first", async () => {
    const { engine, hasEnded } = engineOf([need("a", 3), need("b", 2)], simple);
    const { state, idle, start } = setUp({ one: engine }, 1);
    start("one");
    await idle();
    expect(Instant.ran.map((text) => Object.values(JSON.parse(text)).join(""))).toEqual([
      "a1",
      "b1",
      "a2",
      "b2",
      "a3",
    ]);
    const { one } = state().figures;
    expect(one).toMatchObject({
      phase: "done",
      wanted: 5,
      finished: 5,
      digest: "a 1 1,b 1 1,a 2 1,b 2 1,a 3 1",
    });
    expect(one?.rows).toEqual([row("5")]);
    expect(hasEnded()).toBe(true);
  });

  it("fill in rows as the seeds come", async () => {
    const { engine } = engineOf([need("a", 3)], simple);
    const { state, start } = setUp({ one: engine }, 1);
    Instant.held = true;
    start("one");
    await vi.waitFor(() => expect(Instant.made).toHaveLength(1));
    Instant.made[0]?.answer();
    await vi.waitFor(() => expect(state().figures.one).toMatchObject({ finished: 1, rows: [null] }));
    Instant.made[0]?.answer();
    await vi.waitFor(() => expect(state().figures.one).toMatchObject({ finished: 2, rows: [row("2")] }));
    expect(state().part).toBeCloseTo(2 / 3);
  });

  it("hand over a sweep once all its scenarios are there", async () => {
    const { engine, kept } = engineOf([need("a", 2)], (run, seed) =>
      [1, 2, 3].map((load) => ({ run, seed, load })),
    );
    const { idle, start } = setUp({ one: engine });
    start("one");
    await idle();
    expect(kept).toEqual(["a 1 3", "a 2 3"]);
  });

  it("make runs once that several of them share", async () => {
    const one = engineOf([need("a", 2)], simple);
    const two = engineOf([need("a", 3), need("b", 1)], simple);
    const { state, idle, start } = setUp({ one: one.engine, two: two.engine });
    start("one", "two");
    await idle();
    expect(Instant.ran).toHaveLength(4);
    expect(state().figures.two).toMatchObject({ phase: "done", finished: 4, wanted: 4 });
    expect(two.kept).toHaveLength(4);
  });

  it("keep what is done where they are cancelled", async () => {
    const one = engineOf([need("a", 2)], simple);
    const two = engineOf([need("b", 2)], simple);
    const { runs, state, start } = setUp({ one: one.engine, two: two.engine }, 1);
    Instant.held = true;
    start("one", "two");
    await vi.waitFor(() => expect(Instant.made).toHaveLength(1));
    Instant.made[0]?.answer();
    await vi.waitFor(() => expect(state().figures.one?.finished).toBe(1));
    runs.cancel();
    expect(state()).toMatchObject({ asked: [], figures: { one: { phase: "cancelled", finished: 1 } } });
    expect(state().figures.two?.phase).toBe("cancelled");
    Instant.made[0]?.answer();
    await vi.waitFor(() => expect(one.hasEnded()).toBe(true));
    expect(state().figures.one?.finished).toBe(1);
  });

  it("go on after one whose run failed, saying why", async () => {
    const one = engineOf([need("a", 2)], simple);
    const two = engineOf([need("b", 2)], simple);
    const { state, idle, start } = setUp({ one: one.engine, two: two.engine });
    Instant.failing = '"run":"a"';
    start("one", "two");
    await idle();
    expect(state().figures.one).toMatchObject({ phase: "failed", sentence: "The engine failed." });
    expect(state().figures.two?.phase).toBe("done");
    expect(one.hasEnded()).toBe(true);
  });

  it("are done at once where they have models alone", async () => {
    const { engine } = engineOf([], simple);
    const { state, idle, start } = setUp({ one: engine });
    start("one");
    await idle();
    expect(state().figures.one).toMatchObject({ phase: "done", digest: "" });
  });

  it("measure the machine, and so say how long they take", async () => {
    const { engine } = engineOf([need("a", 2)], simple);
    const { runs, state, start } = setUp({ one: engine }, 2);
    expect(runs.estimateMs(1e6)).toBeNull();
    runs.calibrate({ any: "scenario" });
    await vi.waitFor(() => expect(state().eventsPerSecond).toBe(100_000));
    expect(runs.estimateMs(1e6)).toBe(5000);
    Instant.held = true;
    start("one");
    await vi.waitFor(() => expect(state().leftMs).toBe(5));
  });
});
