import { describe, expect, it, vi } from "vitest";
import { firstScenario } from "../../../scenario/first.ts";
import { memoryResults, runWorkers, TestCampaign, testCampaigns } from "../testCampaign.ts";
import { FigureRuns } from "./figureRuns.ts";

/** The session of a tab. */
function session() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

/** A page with figures of so many runs, by their ids. */
function setUp(
  figures: Readonly<Record<string, number>>,
  { held = false, failing = "", kept = new Map<string, string>(), stored = session() } = {},
) {
  const workers = runWorkers({ held, failing });
  const opened: string[] = [];
  const { create } = testCampaigns(
    (_, [json = "", scenarios = ""]) => {
      if (json === "broken") throw JSON.stringify([{ path: "", reason: "is no figure", hint: "" }]);
      opened.push(`${json} ${scenarios}`);
      const runs = figures[json] ?? 0;
      return new TestCampaign(runs / 2, 0, {
        opened: {},
        changed: (results) => ({ rows: [results.length < 2 ? null : { ours: `${results.length}` }] }),
        answer: (results) => ({ rows: [{ ours: `${results.length}` }], digest: `of ${json}`, events: 1 }),
      });
    },
    memoryResults(kept),
    undefined,
    { figureScenarios: (json) => JSON.stringify([`named by ${json}`]) },
  );
  const runs = new FigureRuns(
    (name) => ({ name }),
    { createWorker: create, createRunWorker: workers.create, side: 2, pace: async () => {} },
    stored,
  );
  const state = () => runs.store.getState();
  const idle = () => vi.waitFor(() => expect(state().asked).toEqual([]));
  const requestOf = (id: string) => ({ id, json: id, events: 1_200_000 });
  const start = (...ids: string[]) => runs.start(ids.map(requestOf));
  return { runs, state, idle, start, requestOf, workers, opened, kept, stored };
}

describe("figures that are run again", () => {
  it("make every run once, one figure after the other, with the scenarios that they name", async () => {
    const { state, idle, start, workers, opened } = setUp({ one: 4, two: 2 });
    start("one", "two");
    expect(state().figures.two?.phase).toBe("waiting");
    await idle();
    expect(opened).toEqual([
      'one {"named by one":{"name":"named by one"}}',
      'two {"named by two":{"name":"named by two"}}',
    ]);
    expect(workers.ran.toSorted()).toEqual([0, 1, 2, 3].map((id) => `scenario ${id}`));
    expect(state().figures).toMatchObject({
      one: { phase: "done", rows: [{ ours: "4" }], digest: "of one", wanted: 4, finished: 4 },
      two: { phase: "done", digest: "of two" },
    });
  });

  it("tell rows and the time left as results come, pause and go on", async () => {
    const { runs, state, start, idle, workers } = setUp({ one: 6 }, { held: true });
    start("one");
    await vi.waitFor(() => expect(workers.waiting).toHaveLength(2));
    workers.go();
    workers.go();
    await vi.waitFor(() => expect(state().figures.one).toMatchObject({ finished: 2, rows: [{ ours: "2" }] }));
    expect(state().part).toBeCloseTo(1 / 3);
    expect(state().leftMs).toBeGreaterThan(0);
    await vi.waitFor(() => expect(workers.waiting).toHaveLength(2));
    runs.pause();
    expect(state().isPaused).toBe(true);
    workers.go();
    workers.go();
    await vi.waitFor(() => expect(state().figures.one?.finished).toBe(4));
    expect(workers.waiting).toHaveLength(0);
    workers.held = false;
    runs.resume();
    await idle();
    expect(state().figures.one?.phase).toBe("done");
  });

  it("keep what is done where they are cancelled", async () => {
    const { runs, state, start, workers, stored } = setUp({ one: 4, two: 2 }, { held: true });
    start("one", "two");
    await vi.waitFor(() => expect(workers.waiting).toHaveLength(2));
    workers.go();
    workers.go();
    await vi.waitFor(() => expect(state().figures.one?.finished).toBe(2));
    runs.cancel();
    expect(state()).toMatchObject({
      asked: [],
      figures: {
        one: { phase: "cancelled", finished: 2, wanted: 4, rows: [{ ours: "2" }] },
        two: { phase: "cancelled" },
      },
    });
    expect(stored.items.size).toBe(0);
  });

  it("continue after a reload, and repeat no run", async () => {
    const before = setUp({ one: 4, two: 2 }, { held: true });
    before.start("one", "two");
    await vi.waitFor(() => expect(before.workers.waiting).toHaveLength(2));
    before.workers.go();
    before.workers.go();
    await vi.waitFor(() => expect(before.kept.size).toBe(2));
    const { runs, state, idle, requestOf, workers } = setUp({ one: 4, two: 2 }, before);
    runs.resumeStored((id) => (id === "gone" ? undefined : requestOf(id)));
    expect(state().asked).toEqual(["one", "two"]);
    await idle();
    expect(workers.ran.toSorted()).toEqual(["scenario 2", "scenario 3"]);
    expect(before.stored.items.size).toBe(0);
    runs.resumeStored(requestOf);
    expect(state().asked).toEqual([]);
  });

  it("that fail or are refused say why, and the next ones are run", async () => {
    const { state, start, idle } = setUp({ one: 2, two: 0 }, { failing: "scenario 1" });
    start("broken", "one", "two");
    await idle();
    expect(state().figures).toMatchObject({
      broken: { phase: "failed", sentence: "is no figure." },
      one: { phase: "failed", sentence: "The engine ran out of memory." },
      two: { phase: "done" },
    });
  });

  it("take a time that is known once the machine was measured", async () => {
    const { runs } = setUp({});
    expect(runs.estimateMs(1000)).toBeNull();
    runs.calibrate(firstScenario);
    // Two workers with 100,000 events in a second each.
    await vi.waitFor(() => expect(runs.estimateMs(400_000)).toBeCloseTo(2000));
  });
});
