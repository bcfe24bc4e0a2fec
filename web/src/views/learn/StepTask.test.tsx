// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import { testSession } from "../../panels/testSession.tsx";
import type { Judgement, Lesson, LessonStep, Told } from "../../workbench/lesson/lesson.ts";
import { keyOf, type LessonProgress, progress } from "../../workbench/lesson/progress.ts";
import type { Player } from "./player.ts";
import { StepTask } from "./StepTask.tsx";

const when = { value: "1", min: 0 };
const PREDICT = {
  kind: "predict",
  title: "Why?",
  text: "",
  explain: "",
  question: {
    kind: "choice",
    prompt: "What becomes of it?",
    options: [
      { text: "It stays", when, feedback: "One might think so." },
      { text: "It falls", when, right: true },
    ],
  },
} as const satisfies LessonStep;

const CURVE = {
  ...PREDICT,
  question: {
    kind: "curve",
    prompt: "Draw it.",
    x: { title: "Load", unit: "%" },
    y: { title: "Wait", unit: "µs", min: 0, max: 10 },
    points: [
      { x: 20, value: "1" },
      { x: 80, value: "1" },
    ],
    feedback: [],
  },
} as const satisfies LessonStep;

const CHALLENGE = {
  kind: "challenge",
  title: "Do it",
  text: "",
  controls: [{ path: "switch.ecnThresholdPackets" }],
  goals: [{ says: "Fast enough", value: "1", max: 300 }],
  hints: ["Look at K.", "A seventh of it."],
  solution: { "switch.ecnThresholdPackets": 35 },
  explain: "",
} as const satisfies LessonStep;

const COMPARE = {
  kind: "compare",
  title: "Which one?",
  text: "Play both.",
  runs: ["small", "large"],
  explain: "",
} as const satisfies LessonStep;

const TOLD: Told = {
  title: "",
  text: "",
  prompt: "What becomes of it?",
  options: ["It stays", "It falls"],
  look: [],
  hints: [...CHALLENGE.hints],
  wrong: [],
  explain: "It fell to **88 Gb/s**.",
  goals: [{ says: "Fast enough", value: 310, text: "310 µs", wanted: "at most 300 µs", holds: false }],
  asserts: [],
  picture: null,
};

const FELL: Judgement = {
  right: false,
  distance: null,
  happened: { kind: "choice", option: 1, text: "It falls" },
  feedback: "One might think so.",
};

/** A step on the page, with a run that the test plays. */
function show(step: LessonStep, judgement: Judgement = FELL) {
  const page = testSession();
  page.session.beginAt(page.session.scenario, 0);
  act(() => page.run(0));
  const lesson = {
    version: 1,
    id: "small",
    title: "",
    outcome: "",
    minutes: 1,
    runs: [],
    steps: [step],
  } satisfies Lesson;
  const key = keyOf(lesson);
  progress.forget(key);
  const player = {
    store: createStore(() => ({ isComplete: true, missing: 0 })),
    judge: async () => judgement,
    tryOut: async () => null,
    holdsBack: () => false,
  } as unknown as Player;
  const task = (told: Told) => {
    const kept: LessonProgress = progress.of(key);
    return (
      <StepTask
        player={player}
        lesson={lesson}
        lessonKey={key}
        seed=""
        step={step}
        at={0}
        told={told}
        answered={kept.answers[0] ?? null}
        kept={kept}
        session={page.session}
        hide={false}
      />
    );
  };
  const view = page.show(task(TOLD));
  const stop = progress.store.subscribe(() => view.rerender(task(TOLD)));
  stops.push(stop);
  return { ...page, key };
}

const stops: (() => void)[] = [];
const button = (name: string) => screen.getByRole("button", { name });

describe("a question", () => {
  beforeEach(() => localStorage.clear());
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
    cleanup();
  });

  it("offers no run before it is answered", () => {
    show(PREDICT);
    expect(screen.queryByRole("button", { name: "Run" })).toBeNull();
    fireEvent.click(button("Lock in"));
    expect(screen.queryByRole("button", { name: "Run" })).toBeNull();
  });

  it("is run once it is locked in, and not changed after that", () => {
    const { requests, key } = show(PREDICT);
    fireEvent.click(screen.getByLabelText("It stays"));
    act(() => button("Lock in").click());
    expect((screen.getByLabelText(/It falls/) as HTMLInputElement).disabled).toBe(true);
    expect(progress.of(key).answers[0]?.answer).toEqual({ kind: "choice", option: 0 });
    fireEvent.click(button("Run"));
    expect(requests.map(({ kind }) => kind)).toContain("play");
  });

  it("says what happened, why one might think otherwise and why it is so, after the run alone", async () => {
    const { run } = show(PREDICT);
    fireEvent.click(screen.getByLabelText("It stays"));
    act(() => button("Lock in").click());
    expect(document.body.textContent).not.toContain("what happened");
    expect(document.body.textContent).not.toContain("88 Gb/s");
    act(() => run(1000, "ended"));
    await waitFor(() => expect(document.body.textContent).toContain("Not as you predicted."));
    expect(screen.getByText("what happened").closest("label")?.textContent).toContain("It falls");
    expect(screen.getByText("your prediction").closest("label")?.textContent).toContain("It stays");
    expect(document.body.textContent).toContain("One might think so.");
    expect(document.body.textContent).toContain("88 Gb/s");
  });

  it("may be left open by saying so", () => {
    const { key } = show(PREDICT);
    act(() => button("I don’t know").click());
    expect(progress.of(key).answers[0]?.answer).toEqual({ kind: "unknown" });
    expect(button("Run")).toBeTruthy();
  });

  it("has a curve drawn point by point with keys", () => {
    const { key } = show(CURVE);
    const [first, second] = screen.getAllByRole("slider") as [HTMLElement, HTMLElement];
    expect(first.getAttribute("aria-valuetext")).toBe("not drawn yet");
    fireEvent.keyDown(first, { key: "ArrowUp" });
    expect(first.getAttribute("aria-valuetext")).toBe("5.2 µs");
    act(() => button("Lock in").click());
    expect(progress.of(key).answers[0]).toBeUndefined();
    fireEvent.keyDown(second, { key: "End" });
    act(() => button("Lock in").click());
    expect(progress.of(key).answers[0]?.answer).toEqual({ kind: "curve", values: [5.2, 10] });
    expect(screen.queryAllByRole("slider")).toHaveLength(0);
  });
});

describe("a comparison", () => {
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
    cleanup();
  });

  it("explains its runs after they were played, and not before", () => {
    const { requests, run } = show(COMPARE);
    expect(requests.map(({ kind }) => kind)).not.toContain("play");
    fireEvent.click(button("Play both"));
    expect(requests.map(({ kind }) => kind)).toContain("play");
    expect(document.body.textContent).not.toContain("88 Gb/s");
    act(() => run(1000, "ended"));
    expect(document.body.textContent).toContain("88 Gb/s");
    expect(button("Play again")).toBeTruthy();
  });
});

describe("a challenge", () => {
  beforeEach(() => localStorage.clear());
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
    cleanup();
  });

  it("tells how its goals stand", () => {
    show(CHALLENGE);
    const goal = screen.getByText("Fast enough").closest("li");
    expect(goal?.textContent).toMatch(/310 µs.*at most 300 µs.*does not hold/);
  });

  it("gives hints one by one, and its solution after all of them, which then counts as not solved", () => {
    const { key, session } = show(CHALLENGE);
    expect(document.body.textContent).not.toContain("Look at K.");
    act(() => button("Give me a hint").click());
    expect(document.body.textContent).toContain("Look at K.");
    expect(document.body.textContent).not.toContain("A seventh of it.");
    expect(screen.queryByRole("button", { name: "Show the solution" })).toBeNull();
    act(() => button("Another hint").click());
    expect(document.body.textContent).not.toContain("88 Gb/s");
    act(() => button("Show the solution").click());
    expect(session.shown().switch?.ecnThresholdPackets).toBe(35);
    expect(progress.of(key).challenges[0]).toEqual({ solved: false, hints: 2, shown: true });
    expect(document.body.textContent).toContain("88 Gb/s");
  });
});
