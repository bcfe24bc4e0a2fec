// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { gridTable, sweepTable } from "../../answers/testStudy.ts";
import { NO_STUDY, type StudyRunsState } from "../../engine/campaign/study/studyRuns.ts";
import type { StudyTable } from "../../generated/answers.d.ts";
import { exploreView } from "../../workbench/state/exploreView.ts";
import { sweepView } from "../../workbench/state/sweepView.ts";
import { suggested, THRESHOLD, WEIGHT } from "../../workbench/study/testStudy.ts";
import { furnish, testPage } from "../testPage.tsx";

/** The studies of the page, played by the test. */
const studies = vi.hoisted(() => ({ runs: null as unknown as Record<string, ReturnType<typeof vi.fn>> }));
vi.mock("../../engine/campaign/study/studies.ts", () => {
  const runs = {
    store: createStore<StudyRunsState>()(() => NO_STUDY),
    open: vi.fn(async () => {
      runs.store.setState({ ...NO_STUDY, phase: "opening" });
    }),
    start: vi.fn(),
    pause: vi.fn(),
    resume: vi.fn(),
    cancel: vi.fn(),
    close: vi.fn(),
    suggestions: vi.fn(async () => suggested),
    scenarioAt: vi.fn(),
    forgetKept: vi.fn(),
  };
  studies.runs = runs as never;
  return { studyRuns: runs };
});

beforeAll(async () => {
  const { happyDOM } = window as unknown as { happyDOM: { setViewport(size: object): void } };
  happyDOM.setViewport({ width: 1440, height: 900 });
  await furnish();
}, 60_000);
afterEach(cleanup);
beforeEach(async () => {
  const { studyRuns } = await import("../../engine/campaign/study/studies.ts");
  studyRuns.store.setState(NO_STUDY, true);
  vi.clearAllMocks();
});

const READY: Partial<StudyRunsState> = {
  phase: "ready",
  table: sweepTable,
  cost: {
    points: 14,
    runs: 112,
    maxRuns: 112,
    isUsual: false,
    events: 1e9,
    memoryBytes: 6e7,
    keptBytes: 3.4e5,
  },
  runs: { known: 0, kept: 0, wanted: 112, underWay: 0, failed: 0 },
  workers: 6,
  estimateSeconds: 20,
};

async function opened(state: Parameters<ReturnType<typeof testPage>["views"]["open"]>[1] = {}) {
  const { default: Sweep } = await import("./Sweep.tsx");
  const page = testPage();
  page.views.open(sweepView, state);
  page.show(<Sweep />);
  await screen.findByRole("region", { name: "Vary" });
  return page;
}

async function say(state: Partial<StudyRunsState>) {
  const { studyRuns } = await import("../../engine/campaign/study/studies.ts");
  await act(async () => studyRuns.store.setState(state));
}

const lastOpened = () => studies.runs.open?.mock.lastCall;

describe("the view of sweeps", () => {
  it("begins with a study of the page's scenario, and says what it costs before anything is run", async () => {
    const page = await opened();
    expect(lastOpened()?.slice(0, 2)).toEqual([
      expect.objectContaining({ vary: [{ path: THRESHOLD.path, range: THRESHOLD.range }] }),
      page.session.scenario,
    ]);
    await say(READY);
    expect(screen.getByText("To begin with: how Total throughput and p99 latency depend on K")).toBeDefined();
    expect(screen.getByText("112 runs, about 20 s on 6 workers. Nothing has been run yet.")).toBeDefined();
    expect(screen.getByRole("region", { name: "Cost" }).textContent).toContain("360 MB of memory");
    expect(studies.runs.start).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole("button", { name: "Start" }));
    expect(studies.runs.start).toHaveBeenCalledOnce();
  });

  it("says how far it is, and pauses, goes on, and cancels with what is done", async () => {
    await opened();
    const runs = { known: 88, kept: 0, wanted: 112, underWay: 6, failed: 0 };
    await say({ ...READY, phase: "running", runs, secondsLeft: 5, eventsPerSecond: 84e6 });
    expect(screen.getByRole("status").textContent).toBe("88 of 112 runs");
    expect(screen.getByText("about 5 s left, 14.0 M events/s on each of 6 workers")).toBeDefined();
    fireEvent.click(screen.getByRole("button", { name: "Pause" }));
    expect(studies.runs.pause).toHaveBeenCalledOnce();
    await say({ phase: "paused" });
    fireEvent.click(screen.getByRole("button", { name: "Resume" }));
    expect(studies.runs.resume).toHaveBeenCalledOnce();
    fireEvent.click(screen.getByRole("button", { name: "Cancel, keep 88" }));
    expect(studies.runs.cancel).toHaveBeenCalledOnce();
    await say({ phase: "cancelled" });
    fireEvent.click(screen.getByRole("button", { name: "Go on" }));
    expect(studies.runs.start).toHaveBeenCalledOnce();
  });

  it("opens a study anew as it is edited, and has it in its state for links", async () => {
    const page = await opened();
    const field = screen.getByLabelText("Values");
    fireEvent.change(field, { target: { value: "20" } });
    await act(async () => fireEvent.keyDown(field, { key: "Enter" }));
    expect(JSON.parse(page.views.stateOf(sweepView).study).vary[0].range.count).toBe(20);
    expect(lastOpened()?.[0]).toMatchObject({ vary: [{ range: { count: 20 } }] });
    await act(async () =>
      fireEvent.change(screen.getByLabelText("Vary a second parameter"), { target: { value: WEIGHT.path } }),
    );
    expect(lastOpened()?.[0].vary).toHaveLength(2);
    fireEvent.click(screen.getByRole("button", { name: "Vary ECN threshold K no more" }));
    expect(JSON.parse(page.views.stateOf(sweepView).study).vary).toEqual([
      { path: WEIGHT.path, range: WEIGHT.range },
    ]);
  });

  it("does not open again what is open, as when another view was shown meanwhile", async () => {
    await opened();
    await say(READY);
    const count = studies.runs.open?.mock.calls.length;
    cleanup();
    await opened();
    expect(studies.runs.open?.mock.calls.length).toBe(count);
    expect(screen.getByRole("button", { name: "Start" })).toBeDefined();
  });

  it("shows nothing of a scenario that was edited as if it were of the new one, and says where it is", async () => {
    const page = await opened();
    await say({
      ...READY,
      phase: "done",
      runs: { known: 112, kept: 0, wanted: 112, underWay: 0, failed: 0 },
    });
    expect(screen.getByRole("region", { name: "Curves" })).toBeDefined();
    await act(async () =>
      page.session.store.getState().edit({ ...page.session.scenario, durationUs: 5000 } as never),
    );
    await screen.findByRole("region", { name: "Vary" });
    expect(screen.queryByRole("region", { name: "Curves" })).toBeNull();
    await say({ ...READY });
    expect(screen.getByText(/Its 112 former results are not shown here/)).toBeDefined();
  });

  it("tells what the engine has against a study beside what that is about", async () => {
    await opened();
    const reason = "from is beyond to";
    await say({
      phase: "refused",
      diagnostics: [{ path: "vary[0].range", reason, hint: "Exchange them.", severity: "error" }],
    });
    const factor = screen.getByRole("group", { name: "ECN threshold K" });
    expect(within(factor).getByRole("alert").textContent).toContain("From is beyond to. Exchange them.");
    expect(screen.getByText(/The study cannot be run as it is: one thing is wrong/)).toBeDefined();
  });

  it("opens a study again whose engine is gone", async () => {
    await opened();
    const count = studies.runs.open?.mock.calls.length ?? 0;
    await say({ phase: "failed", sentence: "The engine stopped." });
    expect(screen.getByRole("alert").textContent).toContain(
      "The engine stopped. Results up to here are kept.",
    );
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "Open it again" })));
    expect(studies.runs.open?.mock.calls.length).toBe(count + 1);
  });

  it("takes the values of a field one by one, words as words and numbers as numbers", async () => {
    const vary = [{ path: "classes[].goal", values: ["throughput", "tail-latency"] }];
    const study = {
      version: 2,
      title: "Mine",
      vary,
      measures: suggested.measures.slice(0, 1),
      ask: { kind: "sweep" },
    };
    const page = await opened({ study: JSON.stringify(study) });
    const type = async (text: string) => {
      const field = screen.getByLabelText("Values");
      fireEvent.change(field, { target: { value: text } });
      await act(async () => fireEvent.keyDown(field, { key: "Enter" }));
      return JSON.parse(page.views.stateOf(sweepView).study).vary[0].values;
    };
    expect(await type("throughput, other")).toEqual(["throughput", "other"]);
    page.views.change(sweepView, {
      study: JSON.stringify({ ...study, vary: [{ path: "x", values: [1, 2] }] }),
    });
    await screen.findByDisplayValue("1, 2");
    expect(await type("1, 2.5, 4")).toEqual([1, 2.5, 4]);
    expect(await type("1, two")).toEqual([1, 2.5, 4]);
    expect(screen.getByText(/Value 2 is not a number/)).toBeDefined();
  });

  it("says what a link holds that is no study, and suggests one", async () => {
    const { default: Sweep } = await import("./Sweep.tsx");
    const page = testPage();
    page.views.open(sweepView, { study: "{" });
    page.show(<Sweep />);
    expect((await screen.findByRole("alert")).textContent).toContain("no study");
    fireEvent.click(screen.getByRole("button", { name: "Suggest a study of this scenario" }));
    expect(await screen.findByRole("region", { name: "Vary" })).toBeDefined();
  });
});

describe("a sweep's pictures", () => {
  const shown = async (table: StudyTable, state = {}) => {
    const page = await opened(state);
    await say({ ...READY, phase: "done", table });
    return page;
  };

  it("explain their intervals, seeds and refused points in a line", async () => {
    const [first, ...others] = sweepTable.points;
    if (!first) throw new Error("no point");
    await shown({ ...sweepTable, points: [{ ...first, refused: "K must be at least 6" }, ...others] });
    expect(
      screen.getByText("Each point: mean of 8 seeds. Bars: 95 % confidence. Same 8 seeds at every K."),
    ).toBeDefined();
    expect(screen.getByText(/1 of 4 points refused/)).toBeDefined();
    expect(screen.getByText("K 5 packets: K must be at least 6")).toBeDefined();
  });

  it("of two factors are a heat map of one measure, or curves", async () => {
    const page = await shown(gridTable);
    expect(screen.getByRole("img", { name: /^Heat map of Total throughput over K/ })).toBeDefined();
    fireEvent.change(screen.getByLabelText("Measure", { selector: "select" }), { target: { value: "1" } });
    expect(screen.getByRole("img", { name: /^Heat map of p99 latency, High/ })).toBeDefined();
    fireEvent.click(screen.getByRole("radio", { name: "Curves" }));
    expect(screen.getByRole("img", { name: /^Curves over K/ })).toBeDefined();
    expect(page.views.stateOf(sweepView)).toMatchObject({ form: "curves", measure: 1 });
  });

  it("are read by the keys, and open the very run of a point with one step of undo", async () => {
    const page = await shown(sweepTable);
    const before = page.session.scenario;
    const run = { ...before, durationUs: before.durationUs - 1000 };
    studies.runs.scenarioAt?.mockResolvedValue(run);
    const picture = screen.getByRole("img", { name: /^Curves over K/ });
    fireEvent.keyDown(picture, { key: "ArrowRight" });
    fireEvent.keyDown(picture, { key: "ArrowRight" });
    expect(within(picture).getByRole("table").textContent).toContain("K 20 packets");
    expect(within(picture).getByRole("row", { name: /p99 latency, High/ }).textContent).toContain(
      "310 µs309 to 311 µs",
    );
    fireEvent.keyDown(picture, { key: "Enter" });
    const entry = await screen.findByRole("menuitem", { name: /Open this run/ });
    await act(async () => fireEvent.click(entry));
    expect(studies.runs.scenarioAt).toHaveBeenCalledWith(1, 0);
    expect(page.views.store.getState().current).toBe(exploreView);
    expect(page.session.scenario).toEqual(run);
    act(() => page.session.undo());
    expect(page.session.scenario).toEqual(before);
  });

  it("have a table of all points behind T", async () => {
    await shown(sweepTable);
    fireEvent.keyDown(screen.getByRole("img", { name: /^Curves over K/ }), { key: "t" });
    const table = within(screen.getByRole("region", { name: "Curves, table" })).getByRole("table");
    expect(within(table).getAllByRole("row")).toHaveLength(5);
  });
});
