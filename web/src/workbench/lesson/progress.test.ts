import { describe, expect, it } from "vitest";
import type { Judgement, Lesson } from "./lesson.ts";
import { isDone, isProgress, keyOf, Progress, scoreOf } from "./progress.ts";

const when = { value: "1", min: 0 };

const lesson = {
  version: 1,
  id: "small",
  title: "Small",
  outcome: "Nothing.",
  minutes: 1,
  runs: [],
  steps: [
    { kind: "read", title: "Read", text: "" },
    {
      kind: "predict",
      title: "Predict",
      text: "",
      explain: "",
      question: {
        kind: "choice",
        prompt: "",
        options: [
          { text: "a", when },
          { text: "b", right: true, when },
        ],
      },
    },
    { kind: "challenge", title: "Do", text: "", controls: [], goals: [], solution: {}, explain: "" },
  ],
} as const satisfies Lesson;
const key = keyOf(lesson);

const judgement = (right: boolean): Judgement => ({
  right,
  distance: null,
  happened: { kind: "choice", option: 1, text: "b" },
  feedback: null,
});

/** A storage with room for so many letters. */
function storage(room = Number.POSITIVE_INFINITY) {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem(key: string, text: string) {
      if (text.length > room) throw new DOMException("full", "QuotaExceededError");
      items.set(key, text);
    },
  };
}

describe("Progress", () => {
  it("is there again after a reload", () => {
    const kept = storage();
    const before = new Progress(() => kept);
    before.stand(key, "", 1);
    before.answer(key, "", 1, { kind: "choice", option: 0 });
    before.judge(key, "", 1, judgement(false));
    const after = new Progress(() => kept);
    expect(after.of(key)).toEqual(before.of(key));
    expect(after.of(key)).toMatchObject({ step: 1, done: [1] });
  });

  it("never changes an answer that was locked in, nor its judgement", () => {
    const all = new Progress(() => storage());
    all.answer(key, "", 1, { kind: "choice", option: 0 });
    all.answer(key, "", 1, { kind: "choice", option: 1 });
    all.judge(key, "", 1, judgement(false));
    all.judge(key, "", 1, judgement(true));
    expect(all.of(key).answers[1]).toMatchObject({
      answer: { option: 0 },
      judgement: { right: false },
    });
  });

  it("judges nothing that was not answered", () => {
    const all = new Progress(() => storage());
    all.judge(key, "", 1, judgement(true));
    expect(all.of(key).answers).toEqual({});
  });

  it("counts right predictions and solved challenges of all", () => {
    const all = new Progress(() => storage());
    expect(scoreOf(lesson, all.of(key))).toEqual({ points: 0, of: 2 });
    all.answer(key, "", 1, { kind: "choice", option: 1 });
    all.judge(key, "", 1, judgement(true));
    expect(scoreOf(lesson, all.of(key))).toEqual({ points: 1, of: 2 });
    all.challenge(key, "", 2, { hints: 1 });
    expect(scoreOf(lesson, all.of(key)).points).toBe(1);
    all.challenge(key, "", 2, { solved: true });
    expect(scoreOf(lesson, all.of(key)).points).toBe(2);
  });

  it("does not count a challenge whose solution was shown before it was solved", () => {
    const all = new Progress(() => storage());
    all.challenge(key, "", 2, { shown: true });
    all.challenge(key, "", 2, { solved: true });
    expect(all.of(key).challenges[2]).toEqual({ solved: false, hints: 0, shown: true });
    expect(all.of(key).done).toEqual([2]);
  });

  it("keeps a challenge solved when the solution is looked at afterwards", () => {
    const all = new Progress(() => storage());
    all.challenge(key, "", 2, { solved: true });
    all.challenge(key, "", 2, { shown: true });
    expect(all.of(key).challenges[2]).toMatchObject({ solved: true, shown: false });
  });

  it("is done once every step is", () => {
    const all = new Progress(() => storage());
    all.finish(key, "", 0);
    all.finish(key, "", 1);
    expect(isDone(lesson, all.of(key))).toBe(false);
    all.finish(key, "", 2);
    expect(isDone(lesson, all.of(key))).toBe(true);
  });

  it("begins anew for another version of a lesson and for another seed", () => {
    const all = new Progress(() => storage());
    all.finish(key, "", 0);
    const changed = keyOf({ ...lesson, title: "Changed" });
    expect(changed.hash).not.toBe(key.hash);
    expect(all.of(changed).done).toEqual([]);
    expect(all.of(key, "Ada").done).toEqual([]);
  });

  it("goes on and says so where the storage is full or blocked", () => {
    const full = new Progress(() => storage(10));
    full.finish(key, "", 0);
    expect(full.of(key).done).toEqual([0]);
    expect(full.store.getState().unkept).toContain("full");
    const blocked = new Progress(() => {
      throw new DOMException("blocked", "SecurityError");
    });
    expect(blocked.store.getState().unkept).toContain("keeps nothing");
    blocked.finish(key, "", 0);
    expect(blocked.of(key).done).toEqual([0]);
  });

  it("goes on from what is kept elsewhere", () => {
    const elsewhere = storage();
    new Progress(() => elsewhere).finish(key, "", 0);
    const all = new Progress(() => storage());
    all.keepIn(elsewhere);
    expect(all.of(key).done).toEqual([0]);
    all.finish(key, "", 1);
    expect(new Progress(() => elsewhere).of(key).done).toEqual([0, 1]);
  });

  it("passes over what is damaged or none of it", () => {
    const kept = storage();
    kept.setItem("qoscope.learn", "{damaged");
    expect(new Progress(() => kept).store.getState().lessons).toEqual({});
    kept.setItem("qoscope.learn", JSON.stringify({ small: { id: "small", step: -1 } }));
    expect(new Progress(() => kept).store.getState().lessons).toEqual({});
  });
});

describe("isProgress", () => {
  it("tells progress from anything else", () => {
    const all = new Progress(() => storage());
    all.answer(key, "", 1, { kind: "unknown" });
    expect(isProgress(all.of(key))).toBe(true);
    expect(isProgress({ ...all.of(key), answers: { 1: { answer: { kind: "choice" } } } })).toBe(false);
    expect(isProgress(null)).toBe(false);
  });
});
