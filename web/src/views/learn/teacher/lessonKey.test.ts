import { describe, expect, it, vi } from "vitest";
import { SingleRuns } from "../../../engine/campaign/singleRuns.ts";
import { runWorkers, TestCampaign, testCampaigns } from "../../../engine/campaign/testCampaign.ts";
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
            { seed, at: 3 },
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

/** Runs whose summaries have the places of their scenarios, and the scenarios that were given. */
function runsHere({ failing = "" } = {}) {
  const given: object[] = [];
  const { create } = testCampaigns((_, [scenarios = ""]) => {
    given.push(...JSON.parse(scenarios));
    return new TestCampaign(given.length / 2, 0, {
      opened: {},
      changed: () => null,
      answer: (results) => results.toSorted().map((n) => ({ n })),
    });
  });
  const createRunWorker = runWorkers({ failing }).create;
  return { given, runs: new SingleRuns({ createWorker: create, createRunWorker }) };
}

describe("the answers of a lesson", () => {
  it("are told once every run that a step speaks of has ended", async () => {
    const { play, put } = engine();
    const { given, runs } = runsHere();
    const key = new LessonKeyRuns(play, 7, runs);
    await vi.waitFor(() => expect(key.store.getState().steps).not.toBeNull());
    expect(given).toEqual([{ seed: 7 }, { seed: 7, at: 1 }, { seed: 7, at: 2 }, { seed: 7, at: 3 }]);
    expect(put).toEqual([
      ["model", "model"],
      ["one", [{ n: 0 }], given.slice(0, 1)],
      ["swept", [{ n: 1 }, { n: 2 }, { n: 3 }], given.slice(1)],
    ]);
    expect(key.store.getState()).toMatchObject({
      part: 1,
      steps: [
        { told: { title: "Step 0" }, judgement: null },
        { judgement: { step: 1, answer: { kind: "unknown" } } },
      ],
    });
  });

  it("do not come where a run fails, and say why", async () => {
    const { runs } = runsHere({ failing: "scenario 1" });
    const key = new LessonKeyRuns(engine().play, null, runs);
    await vi.waitFor(() =>
      expect(key.store.getState()).toMatchObject({
        steps: null,
        failure: "The engine ran out of memory.",
      }),
    );
  });

  it("are left out of a sheet to write on, which needs no runs", async () => {
    const { play, put } = engine();
    const steps = await unsolved(play, null);
    expect(put).toContainEqual([
      "swept",
      [{}, {}, {}],
      [
        { seed: null, at: 1 },
        { seed: null, at: 2 },
        { seed: null, at: 3 },
      ],
    ]);
    expect(steps.map(({ told }) => told.text)).toEqual(["_____", "–"]);
    expect(steps.every(({ judgement }) => judgement === null)).toBe(true);
  });
});
