import { describe, expect, it, vi } from "vitest";
import { firstScenario } from "../../scenario/first.ts";
import { Repeats } from "./repeats.ts";
import { SingleRuns } from "./singleRuns.ts";
import { StudyRuns } from "./study/studyRuns.ts";
import {
  DOCUMENT,
  memoryResults,
  runWorkers,
  sharedClaims,
  TestCampaign,
  testCampaigns,
} from "./testCampaign.ts";

const pace = async () => {};

/** A page with a study of so many points and two seeds, which then wants so many runs more. */
function setUp({
  points = 3,
  further = 0,
  kept = new Map<string, string>(),
  claims = sharedClaims(),
  held = false,
  failing = "",
} = {}) {
  const workers = runWorkers({ held, failing });
  const { worker, create } = testCampaigns(
    () => new TestCampaign(points, further),
    memoryResults(kept),
    claims(),
  );
  const runs = new StudyRuns({ createWorker: create, createRunWorker: workers.create, side: 2, pace });
  const state = () => runs.store.getState();
  const phase = (wanted: string) => vi.waitFor(() => expect(state().phase).toBe(wanted));
  const open = () => runs.open(DOCUMENT, firstScenario);
  const numbers = () => state().table?.points.map(({ cells }) => cells[0]?.numbers);
  const all = () => workers.ran.map((text) => Number(text.split(" ")[1])).toSorted((a, b) => a - b);
  return { runs, state, phase, open, numbers, all, workers, worker, kept, claims };
}

/** The results of runs, as they are kept. */
const keptOf = (...ids: number[]) =>
  new Map(ids.map((id) => [`key ${id}`, JSON.stringify({ digest: `${id}` })]));

describe("the runs of a campaign", () => {
  it("are not made before somebody says so, and then all are, each once", async () => {
    const { runs, state, phase, open, numbers, all, kept } = setUp();
    await open();
    expect(state()).toMatchObject({ phase: "ready", workers: 2, runs: { known: 0, wanted: 6 } });
    expect(all()).toEqual([]);
    runs.start();
    await phase("done");
    expect(all()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(numbers()?.map((row) => row?.toSorted())).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
    ]);
    expect(state()).toMatchObject({
      answer: { kind: "sweep", says: ["6 runs"] },
      runs: { known: 6, kept: 0, wanted: 6, underWay: 0, failed: 0 },
      secondsLeft: null,
    });
    expect(kept.size).toBe(6);
  });

  it("go on with what is wanted once the first are known, by the same workers", async () => {
    const { runs, state, phase, open, all, workers } = setUp({ points: 1, further: 5 });
    await open();
    runs.start();
    await phase("done");
    expect(all()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(workers.made).toHaveLength(2);
    expect(state().answer).toMatchObject({ says: ["7 runs"] });
    expect(workers.made.every(({ ended }) => ended)).toBe(true);
  });

  it("come from the store where they have been made before, in further rounds too", async () => {
    const { runs, state, phase, open, all } = setUp({ points: 2, further: 3, kept: keptOf(0, 2, 5) });
    await open();
    expect(state()).toMatchObject({ phase: "ready", runs: { known: 2, kept: 2, wanted: 4 } });
    expect(state().table?.points.map(({ seeds }) => seeds)).toEqual([1, 1]);
    runs.start();
    await phase("done");
    expect(all()).toEqual([1, 3, 4, 6]);
    expect(state().runs).toMatchObject({ known: 7, kept: 3, wanted: 7 });
  });

  it("are not made at all where every one is kept", async () => {
    const { state, open, all } = setUp({ points: 1, further: 2, kept: keptOf(0, 1, 2, 3) });
    await open();
    expect(state()).toMatchObject({ phase: "done", runs: { known: 4, kept: 4, wanted: 4 } });
    expect(state().answer).toMatchObject({ says: ["4 runs"] });
    expect(all()).toEqual([]);
  });

  it("begin no more while they pause, and those under way come to their ends", async () => {
    const { runs, state, phase, open, workers, all } = setUp({ held: true });
    await open();
    runs.start();
    await vi.waitFor(() => expect(workers.waiting).toHaveLength(2));
    runs.pause();
    workers.go();
    workers.go();
    await vi.waitFor(() => expect(state().runs).toMatchObject({ known: 2, underWay: 0 }));
    expect(state()).toMatchObject({ phase: "paused", secondsLeft: null });
    expect(workers.waiting).toHaveLength(0);
    workers.held = false;
    runs.resume();
    await phase("done");
    expect(all()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("are done where the last of them ends in a pause", async () => {
    const { runs, phase, open, workers } = setUp({ points: 1, held: true });
    await open();
    runs.start();
    await vi.waitFor(() => expect(workers.waiting).toHaveLength(2));
    runs.pause();
    workers.go();
    workers.go();
    await phase("done");
  });

  it("keep what is done where they are cancelled, and make the others when they are started again", async () => {
    const { runs, state, phase, open, workers, all } = setUp({ held: true });
    await open();
    runs.start();
    await vi.waitFor(() => expect(workers.waiting).toHaveLength(2));
    workers.go();
    await vi.waitFor(() => expect(state().runs.known).toBe(1));
    runs.cancel();
    expect(state()).toMatchObject({ phase: "cancelled", runs: { known: 1, underWay: 0 } });
    expect(workers.made.every(({ ended }) => ended)).toBe(true);
    workers.held = false;
    runs.start();
    await phase("done");
    expect(all()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("that fail are told of in their cells, and end nothing", async () => {
    const { runs, state, phase, open, numbers, kept } = setUp({ points: 1, failing: "scenario 1" });
    await open();
    runs.start();
    await phase("done");
    expect(numbers()?.[0]).toContain(null);
    expect(state().runs).toMatchObject({ known: 2, failed: 1 });
    expect([...kept.keys()]).toEqual(["key 0"]);
  });

  it("say how long they take: before by the measured machine, then by what was made", async () => {
    const { runs, state, open, workers } = setUp({ held: true });
    await open();
    // 6 runs, of which 200,000 events were half a one; two workers with 100,000 events in a second each.
    await vi.waitFor(() => expect(state().estimateSeconds).toBeCloseTo(12));
    expect(state().eventsPerSecond).toBeCloseTo(200_000);
    const { workers: side } = state();
    expect(side).toBe(2);
    runs.start();
    await vi.waitFor(() => expect(workers.waiting).toHaveLength(2));
    workers.go();
    await vi.waitFor(() => expect(state().secondsLeft).toBeCloseTo(5));
    expect(state().estimateSeconds).toBeNull();
  });

  it("hear nothing of a study that was left", async () => {
    const { runs, state, open, workers, worker } = setUp({ held: true });
    await open();
    runs.start();
    await vi.waitFor(() => expect(workers.waiting).toHaveLength(2));
    runs.close();
    workers.go();
    expect(state()).toMatchObject({ phase: "none", table: null });
    await vi.waitFor(() => expect(worker.asked.at(-1)).toBe("close"));
    expect(worker.asked).not.toContain("put");
  });

  it("are shared by windows: none is made twice, and each hears of the other's", async () => {
    const kept = new Map<string, string>();
    const claims = sharedClaims();
    const [one, two] = [
      setUp({ kept, claims, points: 6, further: 3 }),
      setUp({ kept, claims, points: 6, further: 3 }),
    ];
    await Promise.all([one.open(), two.open()]);
    one.runs.start();
    two.runs.start();
    await Promise.all([one.phase("done"), two.phase("done")]);
    const made = [...one.all(), ...two.all()].toSorted((a, b) => a - b);
    expect(made).toEqual(Array.from({ length: 15 }, (_, id) => id));
    expect(one.state().runs.kept).toBe(two.all().length);
    expect(two.numbers()?.map((row) => row?.toSorted())).toEqual(
      one.numbers()?.map((row) => row?.toSorted()),
    );
  });

  it("that another window gave up are made here", async () => {
    const kept = new Map<string, string>();
    const claims = sharedClaims();
    const one = setUp({ kept, claims, points: 1, held: true });
    const two = setUp({ kept, claims, points: 1 });
    await Promise.all([one.open(), two.open()]);
    one.runs.start();
    await vi.waitFor(() => expect(one.workers.waiting).toHaveLength(2));
    two.runs.start();
    await vi.waitFor(() => expect(two.worker.asked).toContain("next"));
    expect(two.state().phase).toBe("running");
    one.runs.cancel();
    await two.phase("done");
    expect(two.all()).toEqual([0, 1]);
  });
});

describe("a study", () => {
  it("is refused with everything that is wrong", async () => {
    const faults = ["vary[0].path", "measures[1].value"].map((path) => ({ path, reason: "r", hint: "h" }));
    const { worker, create } = testCampaigns(() => {
      throw JSON.stringify(faults);
    });
    const runs = new StudyRuns({ createWorker: create, createRunWorker: runWorkers().create, pace });
    await runs.open(DOCUMENT, firstScenario);
    expect(runs.store.getState()).toMatchObject({ phase: "refused", diagnostics: faults });
    expect(worker.ended).toBe(false);
  });

  it("fails where its worker does, and can be opened again", async () => {
    const { runs, state, phase, open, worker } = setUp({ held: true });
    await open();
    runs.start();
    worker.fail("out of memory");
    await phase("failed");
    expect(state().sentence).toBe("out of memory");
    await open();
    expect(state().phase).toBe("ready");
  });

  it("gives the very scenario of a run, and hashes each trace once", async () => {
    const { runs, worker, open } = setUp();
    await open();
    expect(await runs.scenarioAt(2, 1)).toEqual({ point: 2, seed: 1 });
    const traces = new Map([["disk", new Uint8Array(5)]]);
    await runs.open(DOCUMENT, firstScenario, traces);
    await runs.open(DOCUMENT, firstScenario, traces);
    expect(worker.asked.filter((ask) => ask === "traceHash")).toHaveLength(1);
  });

  it("leaves its table where what is kept is forgotten", async () => {
    const { runs, state, open, kept } = setUp({ kept: keptOf(0, 1) });
    await open();
    expect(state().kept.count).toBe(2);
    await runs.forgetKept();
    expect(kept.size).toBe(0);
    expect(state()).toMatchObject({ kept: { count: 0 }, runs: { known: 2 } });
  });
});

/** A campaign of another kind, of so many runs. */
const setUpOf = (runs: number, failing = "") => {
  const workers = runWorkers({ failing });
  const opened: unknown[] = [];
  const { worker, create } = testCampaigns((kind, documents) => {
    opened.push([kind, ...documents]);
    const both = (results: readonly number[]) => ({ seeds: runs, known: results.length, classes: [] });
    return kind === "repeats"
      ? new TestCampaign(runs / 2, 0, { opened: {}, changed: both, answer: both })
      : new TestCampaign(runs / 2, 0, { opened: {}, changed: () => null, answer: (results) => results });
  });
  return { setup: { createWorker: create, createRunWorker: workers.create, pace }, opened, workers, worker };
};

describe("repeated runs", () => {
  it("compare scenarios under seeds, as far as results reach", async () => {
    const { setup, opened, workers } = setUpOf(4);
    const repeats = new Repeats(setup);
    await repeats.run([{ name: "A" }, { name: "B" }], [1, 2], new Map([["disk", new Uint8Array(3)]]));
    await repeats.settled();
    expect(opened).toEqual([["repeats", '[{"name":"A"},{"name":"B"}]', "[1,2]", '{"disk":"hash of 3"}']]);
    expect(workers.ran).toHaveLength(4);
    expect(repeats.store.getState()).toMatchObject({ phase: "done", part: 1, comparison: { known: 4 } });
  });

  it("end with the sentence of the first that fails", async () => {
    const { setup } = setUpOf(2, "scenario 0");
    const repeats = new Repeats(setup);
    await repeats.run([{}], [1, 2], new Map());
    await repeats.settled();
    expect(repeats.store.getState()).toMatchObject({
      phase: "failed",
      sentence: "The engine ran out of memory.",
    });
  });
});

describe("single runs", () => {
  it("give their summaries, and let their worker go", async () => {
    const { setup, worker } = setUpOf(2);
    const runs = new SingleRuns(setup);
    await runs.run([{ seed: 1 }, { seed: 2 }]);
    expect((await runs.settled()).answer).toHaveLength(2);
    runs.end();
    expect(worker.ended).toBe(true);
  });
});
