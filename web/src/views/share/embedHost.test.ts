import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { RunState } from "../../engine/run/runState.ts";
import type { Session } from "../../engine/run/session.ts";
import { createScenarioStore } from "../../scenario/store.ts";
import type { Scenario } from "../../scenario/types.ts";
import type { Lesson } from "../../workbench/lesson/lesson.ts";
import { keyOf, openLessonStore, Progress } from "../../workbench/lesson/progress.ts";
import type { Views } from "../../workbench/view/views.ts";
import { perform, tellLesson, tellScenario, tellState } from "./embedHost.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A run played by the test, and what the host has been told of it. */
function setUp() {
  const run = createStore(() => ({ phase: "paused", nowUs: 0 }) as RunState);
  const told: string[] = [];
  tellState({ run } as Pick<Session, "run">, ({ phase, timeUs }) => told.push(`${phase} ${timeUs}`));
  return { run, told };
}

it("every phase is told at once, and time four times a second", () => {
  const { run, told } = setUp();
  run.setState({ phase: "running" });
  for (let us = 1; us <= 100; us++) {
    run.setState({ nowUs: us });
    vi.advanceTimersByTime(10);
  }
  run.setState({ phase: "ended", nowUs: 101 });
  vi.advanceTimersByTime(1000);
  expect(told).toEqual([
    "paused 0",
    "running 0",
    "running 25",
    "running 50",
    "running 75",
    "running 100",
    "ended 101",
  ]);
});

it("what else changes of a run is not told", () => {
  const { run, told } = setUp();
  run.setState({ tick: 1 });
  vi.advanceTimersByTime(1000);
  expect(told).toEqual(["paused 0"]);
});

it("who follows is told the scenario at every change, and what is refused", () => {
  const store = createScenarioStore({ name: "a" } as Scenario);
  const run = createStore(() => ({ begun: false, diagnostics: [] }) as unknown as RunState);
  const told: string[] = [];
  tellScenario({ store, run } as unknown as Session, (message) =>
    told.push(
      message.qoscope === "scenario" ? message.scenario.name : `refused ${message.diagnostics[0]?.path}`,
    ),
  );
  expect(told).toEqual([]);
  run.setState({ begun: true });
  store.getState().start({ name: "a" } as Scenario);
  store.getState().edit({ name: "b" } as Scenario);
  store.getState().undo();
  run.setState({ tick: 1 });
  run.setState({ diagnostics: [{ path: "seed", reason: "is 0", hint: "", severity: "error" } as const] });
  run.setState({ diagnostics: [] });
  expect(told).toEqual(["a", "b", "a", "refused seed", "a"]);
});

it("a theme is shown as the page around this one has it, and no other word for one", () => {
  const dataset: Record<string, string> = {};
  vi.stubGlobal("document", { documentElement: { dataset } });
  perform({} as Session, {} as Views, { qoscope: "theme", theme: "dark" });
  expect(dataset.theme).toBe("dark");
  perform({} as Session, {} as Views, { qoscope: "theme", theme: "green" });
  expect(dataset.theme).toBe("dark");
});

it("a lesson is told by counts, at every change and only then", () => {
  const question = { kind: "choice", prompt: "Which?", options: [{ text: "a" }, { text: "b", right: true }] };
  const lesson = {
    id: "small",
    title: "Small",
    steps: [{ kind: "read" }, { kind: "predict", question }, { kind: "challenge" }],
  } as unknown as Lesson;
  const [key, progress] = [keyOf(lesson), new Progress(() => ({ getItem: () => null, setItem: () => {} }))];
  const told: string[] = [];
  tellLesson(progress, ({ qoscope, lesson: id, step, steps, answered, questions, score, done }) =>
    told.push(`${qoscope} ${id} ${step}/${steps} ${answered}/${questions} ${score} ${done}`),
  );
  expect(told).toEqual([]);
  openLessonStore.setState({ lesson, key, seed: "" }, true);
  progress.stand(key, "", 1);
  progress.answer(key, "", 1, { kind: "choice", option: 1 });
  progress.challenge(key, "", 2, { hints: 1 });
  progress.judge(key, "", 1, {
    right: true,
    distance: null,
    happened: { kind: "choice", option: 1, text: "b" },
    feedback: null,
  });
  progress.challenge(key, "", 2, { shown: true });
  progress.finish(key, "", 0);
  openLessonStore.setState({ lesson: null }, true);
  expect(told).toEqual([
    "lesson small 1/3 0/2 0 false",
    "lesson small 2/3 0/2 0 false",
    "lesson small 2/3 1/2 0 false",
    "lesson small 2/3 1/2 1 false",
    "lesson small 2/3 2/2 1 false",
    "lesson small 2/3 2/2 1 true",
  ]);
});
