import * as scorm12 from "scorm-again/scorm12";
import { afterEach, describe, expect, it } from "vitest";
import type { Judgement, Lesson } from "../../../workbench/lesson/lesson.ts";
import { keyOf, openLessonStore, Progress } from "../../../workbench/lesson/progress.ts";
import { reportTo, slimmer } from "./reporting.ts";
import { findApi, Lms } from "./runtime.ts";

const { Scorm12API } = scorm12 as unknown as { readonly Scorm12API: typeof scorm12.default };

const lesson = {
  version: 1,
  id: "small",
  title: "Small",
  outcome: "",
  minutes: 1,
  runs: [],
  steps: [
    { kind: "read", title: "Read", text: "" },
    {
      kind: "predict",
      title: "Which",
      text: "",
      explain: "",
      question: { kind: "choice", prompt: "Which?", options: [{ text: "a" }, { text: "b", right: true }] },
    },
    {
      kind: "predict",
      title: "How",
      text: "",
      explain: "",
      question: {
        kind: "curve",
        prompt: "How?",
        x: { title: "load" },
        y: { title: "wait", min: 0, max: 10 },
        points: [
          { x: 0, value: "0" },
          { x: 1, value: "1" },
        ],
      },
    },
    { kind: "challenge", title: "Do", text: "", controls: [], goals: [], solution: {} },
  ],
} as unknown as Lesson;
const key = keyOf(lesson);

const judged = (happened: Judgement["happened"], right: boolean): Judgement => ({
  right,
  distance: "far",
  happened,
  feedback: "One might think so, and many do.",
});

/** A visit to an LMS, with what it kept of the one before. */
function visit(kept: object = {}) {
  const api = new Scorm12API({ logLevel: 5 });
  api.loadFromJSON(kept as never);
  const window = { API: api } as unknown as Record<string, unknown>;
  window.parent = window;
  const progress = new Progress(() => ({ getItem: () => null, setItem: () => {} }));
  reportTo(new Lms(findApi(window as unknown as Window, "1.2")), progress);
  const held = (path: string) =>
    path
      .split(".")
      .reduce<unknown>(
        (at, name) => (at as Record<string, unknown>)[name],
        (api.renderCMIToJSONObject() as unknown as { readonly cmi: object }).cmi,
      );
  return { api, progress, held };
}

afterEach(() => openLessonStore.setState({ lesson: null }, true));

const open = () => openLessonStore.setState({ lesson, key, seed: "" }, true);

describe("a lesson that is taken in an LMS", () => {
  it("is reported answer by answer, with score, place and end", () => {
    const { api, progress, held } = visit();
    open();
    progress.stand(key, "", 1);
    progress.answer(key, "", 1, { kind: "choice", option: 0 }, 12);
    expect(held("interactions.0")).toMatchObject({ id: "small-2", student_response: "1", result: "neutral" });
    progress.judge(key, "", 1, judged({ kind: "choice", option: 1, text: "b" }, false));
    expect(held("interactions.0")).toMatchObject({
      result: "wrong",
      correct_responses: { 0: { pattern: "2" } },
    });
    progress.answer(key, "", 2, { kind: "curve", values: [0, 2.5] }, 30);
    progress.judge(key, "", 2, judged({ kind: "curve", values: [0.1, 2.4] }, true));
    expect(held("interactions.1")).toMatchObject({
      type: "fill-in",
      student_response: "0,2.5",
      result: "correct",
    });
    expect(held("core.score.raw")).toBe("33");
    expect(held("core.lesson_status")).toBe("incomplete");
    progress.challenge(key, "", 3, { hints: 1 });
    expect(api.cmi.interactions.childArray).toHaveLength(2);
    progress.challenge(key, "", 3, { solved: true });
    expect(held("interactions.2")).toMatchObject({ id: "small-4", result: "correct" });
    progress.finish(key, "", 0);
    expect(held("core.score.raw")).toBe("67");
    expect(held("core.lesson_status")).toBe("completed");
    expect(held("core.lesson_location")).toBe("1");
  });

  it("goes on from what the LMS kept, and tells nothing twice", () => {
    const first = visit();
    open();
    first.progress.answer(key, "", 1, { kind: "choice", option: 1 }, 12);
    first.progress.judge(key, "", 1, judged({ kind: "choice", option: 1, text: "b" }, true));
    const kept = structuredClone(first.api.renderCMIToJSONObject()) as unknown as { readonly cmi: object };
    openLessonStore.setState({ lesson: null }, true);

    const { api, progress, held } = visit(kept.cmi);
    expect(progress.of(key).answers[1]).toEqual(first.progress.of(key).answers[1]);
    open();
    progress.stand(key, "", 2);
    expect(api.cmi.interactions.childArray).toHaveLength(1);
    expect(held("core.score.raw")).toBe("33");
    progress.answer(key, "", 2, { kind: "unknown" }, 3);
    expect(held("interactions.1")).toMatchObject({ id: "small-3", result: "neutral", student_response: "" });
  });

  it("is told anew where the learner begins again", () => {
    const { api, progress, held } = visit();
    open();
    progress.answer(key, "", 1, { kind: "choice", option: 0 }, 12);
    progress.forget(key);
    progress.answer(key, "", 1, { kind: "choice", option: 1 }, 2);
    expect(api.cmi.interactions.childArray).toHaveLength(1);
    expect(held("interactions.0")).toMatchObject({ id: "small-2", student_response: "2" });
  });
});

describe("progress in fewer letters", () => {
  it("loses words and digits, and no judgement", () => {
    const { progress } = visit();
    progress.answer(key, "", 1, { kind: "choice", option: 0 }, 12.3456);
    progress.judge(key, "", 1, judged({ kind: "choice", option: 1, text: "b" }, false));
    progress.answer(key, "", 2, { kind: "curve", values: [0.123456789, 1234.5678] });
    const json = JSON.stringify(progress.store.getState().lessons);
    const [slim = "", slimmest = ""] = slimmer(json);
    expect(slim.length).toBeLessThan(json.length);
    expect(slimmest.length).toBeLessThan(slim.length);
    for (const text of [slim, slimmest]) {
      const kept = new Progress(() => ({ getItem: () => text, setItem: () => {} }));
      expect(kept.of(key).answers[1]).toMatchObject({
        answer: { option: 0 },
        judgement: { right: false, happened: { option: 1 }, feedback: null },
      });
      expect(kept.of(key).answers[2]?.judgement).toBeNull();
    }
    expect(slimmest).toContain("[0.12,1200]");
  });
});
