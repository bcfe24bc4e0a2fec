import { describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { RunJob, RunOutcome, RunPool } from "../../../engine/campaign/runPool.ts";
import type { Answer, Lesson, LessonEngine } from "../../../workbench/lesson/lesson.ts";
import { LessonKeyRuns, unsolved, withBlanks } from "./lessonKey.ts";

describe("a text with blanks", () => {
  it.each([
    ["{a.b} of {c} packets", "3 of – packets", "3 of _____ packets"],
    ["It is {a}", "It is …", "It is _____"],
    ["{a}", "–", "_____"],
    ["a – b, {x['p: 1'] : 2} µs.", "a – b, 4.50 µs.", "a – b, 4.50 µs."],
    ["a – b, {x} µs.", "a – b, – µs.", "a – b, _____ µs."],
    ["no number", "no number", "no number"],
  ])("has them where a number has no value: %s", (written, told, expected) => {
    expect(withBlanks(written, told)).toBe(expected);
  });
});

const lesson = {
  id: "small",
  title: "Small",
  runs: [{ name: "one" }, { name: "swept" }, { name: "unused" }],
  steps: [
    { kind: "read", title: "Read", text: "{one.a}" },
    { kind: "predict", title: "Say", text: "", question: { kind: "number", prompt: "How much?" } },
  ],
} as unknown as Lesson;

/** An engine of the test's own, and what it was given. */
function engine() {
  const put: unknown[] = [];
  const play = {
    lesson,
    needs: (step: number) => (step === 0 ? ["one", "model"] : ["swept"]),
    scenarios: async (run: string, seed: number | null) =>
      run === "swept"
        ? [
            { seed, at: 1 },
            { seed, at: 2 },
          ]
        : [{ seed }],
    model: async (name: string) => void put.push(["model", name]),
    put: async (run: string, summaries: unknown, scenarios: unknown) =>
      void put.push([run, summaries, scenarios]),
    told: async (step: number) => ({ title: `Step ${step}`, text: "–", prompt: null, options: [], look: [] }),
    judge: async (step: number, answer: Answer) => ({ right: false, step, answer }),
    end: () => void put.push("end"),
  };
  return { play: play as unknown as LessonEngine, put };
}

/** A pool whose runs end when the test says. */
function pool() {
  const jobs: RunJob[] = [];
  let ended: (job: RunJob, outcome: RunOutcome) => void = () => {};
  const create = (tell: typeof ended) => {
    ended = tell;
    return {
      store: createStore(() => ({ part: 0 })),
      start: (all: readonly RunJob[]) => void jobs.push(...all),
      reset: () => {},
    } as unknown as RunPool;
  };
  const end = (at: number, summary: object) =>
    ended(jobs[at] as RunJob, { json: JSON.stringify(summary), ms: 0 } as unknown as RunOutcome);
  const fail = (at: number, failure: string) => ended(jobs[at] as RunJob, { failure } as RunOutcome);
  const begun = () => vi.waitFor(() => expect(jobs).toHaveLength(3));
  return { jobs, create, end, fail, begun };
}

describe("the answers of a lesson", () => {
  it("are told once every run that a step speaks of has ended, whatever the order", async () => {
    const { play, put } = engine();
    const { jobs, create, end, begun } = pool();
    const runs = new LessonKeyRuns(play, 7, create);
    await begun();
    expect(jobs.map(({ scenario }) => JSON.parse(scenario))).toEqual([
      { seed: 7 },
      { seed: 7, at: 1 },
      { seed: 7, at: 2 },
    ]);
    end(2, { n: 2 });
    end(0, { n: 0 });
    expect(runs.store.getState().steps).toBeNull();
    end(1, { n: 1 });
    await vi.waitFor(() => expect(runs.store.getState().steps).not.toBeNull());
    expect(put).toEqual([
      ["model", "model"],
      ["one", [{ n: 0 }], [{ seed: 7 }]],
      [
        "swept",
        [{ n: 1 }, { n: 2 }],
        [
          { seed: 7, at: 1 },
          { seed: 7, at: 2 },
        ],
      ],
    ]);
    expect(runs.store.getState().steps).toMatchObject([
      { told: { title: "Step 0" }, judgement: null },
      { judgement: { step: 1, answer: { kind: "unknown" } } },
    ]);
  });

  it("do not come where a run fails, and say why", async () => {
    const { play } = engine();
    const { create, fail, begun } = pool();
    const runs = new LessonKeyRuns(play, null, create);
    await begun();
    fail(1, "The engine stopped.");
    await vi.waitFor(() =>
      expect(runs.store.getState()).toMatchObject({ steps: null, failure: "The engine stopped." }),
    );
  });

  it("are left out of a sheet to write on, which needs no runs", async () => {
    const { play, put } = engine();
    const steps = await unsolved(play, null);
    expect(put).toContainEqual([
      "swept",
      [{}, {}],
      [
        { seed: null, at: 1 },
        { seed: null, at: 2 },
      ],
    ]);
    expect(steps.map(({ told }) => told.text)).toEqual(["_____", "–"]);
    expect(steps.every(({ judgement }) => judgement === null)).toBe(true);
  });
});
