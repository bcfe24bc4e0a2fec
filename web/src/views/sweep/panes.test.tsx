// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { NO_STUDY, type StudyRunsState } from "../../engine/campaign/study/studyRuns.ts";
import type { StudyDocument } from "../../scenario/study.ts";
import { compareView } from "../../workbench/state/compareView.ts";
import { sweepView } from "../../workbench/state/sweepView.ts";
import FoundSettings from "../../workbench/study/FoundSettings.tsx";
import { studyOf, studyText } from "../../workbench/study/studyEdit.ts";
import {
  foundAnswer,
  notFound,
  ranking,
  searchStandings,
  searchStudy,
  searchTable,
  suggested,
  THRESHOLD,
  TRANSPORT,
  WEIGHT,
} from "../../workbench/study/testStudy.ts";
import { StudyProvider, useStudy } from "../../workbench/study/useStudy.tsx";
import VaryThis from "../../workbench/study/VaryThis.tsx";
import { type TestPage, testPage, testScenario } from "../testPage.tsx";
import { SearchPane } from "./SearchPane.tsx";
import { SensitivityPane } from "./SensitivityPane.tsx";
import { TargetsEditor } from "./TargetsEditor.tsx";

const runs = vi.hoisted(() => ({ next: null as Partial<StudyRunsState> | null }));
const store = createStore<StudyRunsState>()(() => NO_STUDY);
vi.mock("../../engine/campaign/study/studies.ts", () => ({
  studyRuns: {
    get store() {
      return store;
    },
    suggestions: async () => suggested,
    open: async (document: StudyDocument) =>
      store.setState({ ...NO_STUDY, phase: "done", document, ...runs.next }),
  },
}));

beforeAll(() => {
  Object.assign(document, { fonts: new EventTarget() });
});
beforeEach(() => {
  runs.next = { table: searchTable };
  store.setState(NO_STUDY);
});
afterEach(cleanup);

/** The scenario of the tests with the K of the worked answer. */
const scenario = { ...testScenario, switch: { ...testScenario.switch, ecnThresholdPackets: 140 } };

/** A pane with the study of the view, beside a run that stands. */
async function shown(pane: React.ReactNode, study: StudyDocument | null): Promise<TestPage> {
  const page = testPage(scenario);
  page.session.begin(scenario);
  page.run(20);
  if (study) page.views.change(sweepView, { study: studyText(study) });
  await act(async () => void page.show(<StudyProvider>{pane}</StudyProvider>));
  return page;
}
const search = (part: Partial<StudyRunsState>) => {
  runs.next = {
    table: searchTable,
    progress: {
      known: 48,
      wanted: 90,
      isLimit: true,
      done: false,
      doing: "Narrowing down",
      candidates: searchStandings,
    },
    ...part,
  };
  return shown(<SearchPane />, searchStudy);
};
const study = (page: TestPage) => studyOf(page.views.stateOf(sweepView).study);
const button = (name: string | RegExp) => screen.getByRole("button", { name });

describe("a search that is met", () => {
  const answer = { kind: "search", ...foundAnswer } as const;

  it("says how sure it is, and what to set beside the present value and the model's first guess", async () => {
    await search({ answer });
    expect(screen.getByText(/meets both targets in 40 of 40 unseen seeds/)).toBeTruthy();
    const answered = screen.getByRole("region", { name: "The answer" });
    const [, first] = within(answered).getAllByRole("row");
    const cells = within(first as HTMLElement).getAllByRole("cell");
    expect(cells.slice(0, 3).map(({ textContent }) => textContent)).toEqual([
      "140 packets",
      "→ 22 packets",
      "40 packets",
    ]);
    expect(cells[3]?.textContent).toContain("22 to 61 packets");
    expect(answered.textContent).toContain("At 18 packets p99 latency of High is 312 µs in 9 of 40 seeds.");
    expect(answered.textContent).toContain("The model’s first guess: p99 latency, High 274 µs");
  });

  it("is applied at once, and taken back with one undo", async () => {
    const page = await search({ answer });
    fireEvent.click(button("Apply"));
    expect(page.session.scenario.switch?.ecnThresholdPackets).toBe(22);
    page.run(0);
    act(() => page.session.undo());
    expect(page.session.scenario).toEqual(scenario);
  });

  it("stands beside the present run in Compare", async () => {
    const page = await search({ answer });
    fireEvent.click(button("Compare"));
    expect(page.views.store.getState().current).toBe(compareView);
    expect(page.views.stateOf(compareView).baselines).toMatchObject([
      { switch: { ecnThresholdPackets: 22 } },
    ]);
    expect(page.session.scenario).toEqual(scenario);
  });

  it("tells how every target fares", async () => {
    await search({ answer });
    const fares = screen.getByRole("region", { name: "How the targets fare" });
    const rows = within(fares).getAllByRole("row").slice(1);
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      "p99 latency, High at most 300 µs in 95 % of seeds 281 µs (277 to 285)40 of 4012.0 µs",
      "Total throughput at least 90 Gb/s in 95 % of seeds nearest92.0 Gb/s (91.6 to 92.4)40 of 401.4 Gb/s",
      "ECN threshold, as small as possible22 packets",
    ]);
  });
});

describe("a search that cannot be met", () => {
  const answer = { kind: "search", ...notFound } as const;

  it("names the target that fails, the nearest setting, and a bound that could be met", async () => {
    const page = await search({ answer });
    expect(screen.getByRole("heading", { name: "No setting meets the targets" })).toBeTruthy();
    const fares = screen.getByRole("region", { name: "How the targets fare" });
    expect(fares.textContent).toContain("misses by 41.3 µs");
    expect(button("Apply the nearest")).toBeTruthy();
    fireEvent.click(button("Ask for at most 342 µs"));
    expect(study(page)?.ask).toMatchObject({ targets: [{ atMost: 342 }, { atLeast: 90 }] });
  });
});

describe("a search that goes on, or was called off", () => {
  it("says what it does, and how many settings may still be the answer", async () => {
    await search({ phase: "running" });
    expect(screen.getByRole("heading", { name: "Narrowing down" })).toBeTruthy();
    expect(screen.getByText("2 settings of 6 may still be the answer.")).toBeTruthy();
    const thought = screen.getByRole("list", { name: "What is thought of it" });
    expect(
      within(thought)
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent?.trim()),
    ).toEqual(["1 leading", "1 open", "1 beaten", "3 miss a target"]);
  });

  it("says what it knows when it is called off, and lets each setting be looked at", async () => {
    await search({ phase: "cancelled" });
    expect(screen.getByRole("heading", { name: "Called off: no setting is confirmed" })).toBeTruthy();
    const picture = screen.getByRole("img", { name: /settings tried of ECN threshold K/ });
    fireEvent.keyDown(picture, { key: "Home" });
    fireEvent.keyDown(picture, { key: "ArrowRight" });
    fireEvent.keyDown(picture, { key: "Enter" });
    const setting = screen.getByRole("region", { name: "A setting that was tried" });
    expect(setting.textContent).toContain("→ 22 packets");
    expect(setting.textContent).toContain("not confirmed");
    expect(setting.textContent).toContain("8 seeds");
  });

  it("says what it will do while nothing has been tried", async () => {
    await search({ phase: "ready", table: { ...searchTable, points: [] }, progress: null });
    expect(screen.getByText("p99 latency, High at most 300 µs")).toBeTruthy();
    expect(screen.getByText("with ECN threshold K as small as possible")).toBeTruthy();
  });
});

/** The editor as the column has it. */
function Editor() {
  const { study: edited, change } = useStudy();
  return edited && <TargetsEditor study={edited} onChange={change} />;
}

describe("targets as sentences", () => {
  const choose = (name: string, value: string) =>
    fireEvent.change(screen.getByLabelText(name, { selector: "select" }), { target: { value } });

  it("are written by their fields", async () => {
    const page = await shown(<Editor />, searchStudy);
    const bound = screen.getByLabelText<HTMLInputElement>("Target 1: at most");
    fireEvent.change(bound, { target: { value: "0.25 ms" } });
    fireEvent.keyDown(bound, { key: "Enter" });
    expect(study(page)?.ask).toMatchObject({ targets: [{ atMost: 250 }, {}] });
    choose("Target 1: class", "Low");
    choose("Target 2: way", "atMost");
    expect(study(page)?.ask).toMatchObject({
      targets: [{ measure: "p99 latency, Low" }, { measure: "Total throughput", atMost: 90 }],
    });
    fireEvent.click(button("Add a target"));
    fireEvent.click(button("Remove the target for Total throughput"));
    choose("Preference 1: way", "max");
    fireEvent.click(button("Trade off against another"));
    expect(study(page)?.ask).toMatchObject({
      targets: [{ measure: "p99 latency, Low" }, { measure: "p99 latency, High" }],
      prefer: [
        { of: THRESHOLD.path, wanted: "max" },
        { of: WEIGHT.path, wanted: "min" },
      ],
    });
  });

  it("have what the engine says beside them", async () => {
    runs.next = {
      table: searchTable,
      phase: "refused",
      diagnostics: [
        {
          path: "ask.targets[1].measure",
          reason: "there is no such measure",
          hint: "Ask for another.",
          severity: "error" as const,
        },
      ] as StudyRunsState["diagnostics"],
    };
    await shown(<Editor />, searchStudy);
    expect(screen.getByRole("alert").textContent).toContain("There is no such measure. Ask for another.");
  });
});

describe("what matters", () => {
  const matters: StudyDocument = { ...searchStudy, vary: [], ask: { kind: "sensitivity" } };
  const three = {
    ...searchTable,
    factors: [
      ...searchTable.factors,
      {
        ...searchTable.factors[1],
        title: "Transport",
        paths: [TRANSPORT.path],
      } as (typeof searchTable.factors)[0],
    ],
  };
  const answered = () => {
    runs.next = { table: three, answer: { kind: "sensitivity", rankings: [ranking] } };
    return shown(<SensitivityPane />, matters);
  };

  it("ranks the settings with their words, and shows the others when asked", async () => {
    await answered();
    const bars = screen.getByRole("region", { name: /p99 latency, High/ });
    expect(bars.textContent).toContain("K moves p99 latency of High most");
    const rows = () => within(bars).getAllByRole("row").slice(1);
    expect(rows()).toHaveLength(1);
    expect(
      within(rows()[0] as HTMLElement)
        .getAllByRole("cell")
        .map(({ textContent }) => textContent),
    ).toEqual(["", "182 µs, between 151 µs and 213 µs", "raises it"]);
    fireEvent.click(
      within(bars).getByRole("button", { name: "2 more: not told from chance, or nothing changed" }),
    );
    expect(rows().map((row) => row.querySelector("td:last-child")?.textContent)).toEqual([
      "raises it",
      "not told from chance",
      "nothing changed",
    ]);
  });

  it("leads from a setting to its curve", async () => {
    const page = await answered();
    await act(async () => void fireEvent.click(button("Vary ECN threshold K")));
    expect(study(page)).toMatchObject({
      title: "Sweep of ECN threshold K",
      vary: [suggested.sensitivity.vary[0]],
      ask: { kind: "sweep" },
    });
  });

  it("has its ranges edited, and tells of steps that were refused", async () => {
    const page = await answered();
    const fields = screen.getByRole("region", { name: /Settings and their ranges/ });
    expect(fields.textContent).toContain("9 of 12: the others were refused");
    const to = screen.getByLabelText("ECN threshold, to");
    fireEvent.change(to, { target: { value: "200" } });
    fireEvent.keyDown(to, { key: "Enter" });
    expect(study(page)?.vary?.map(({ path, range }) => [path, range?.to])).toEqual([
      [THRESHOLD.path, 200],
      [WEIGHT.path, 8],
      [TRANSPORT.path, undefined],
    ]);
    fireEvent.click(screen.getByRole("switch", { name: /Vary Transport/ }));
    expect(study(page)?.vary).toHaveLength(2);
  });
});

describe("a setting where it is explained", () => {
  it("is varied alone, or beside what the person varies already", async () => {
    const page = await shown(<VaryThis path={WEIGHT.path} />, {
      ...searchStudy,
      vary: [],
      ask: { kind: "sweep" },
    });
    await act(async () => void fireEvent.click(button("Vary this")));
    expect(study(page)?.vary?.map(({ path }) => path)).toEqual([WEIGHT.path]);
    cleanup();
    const other = await shown(<VaryThis path={THRESHOLD.path} />, study(page));
    await act(async () => void fireEvent.click(button("Vary beside Weight of high priority")));
    expect(study(other)?.vary?.map(({ path }) => path)).toEqual([WEIGHT.path, THRESHOLD.path]);
  });

  it("is left to a search that goes on", async () => {
    const page = await shown(<VaryThis path="transport.transport" />, searchStudy);
    await act(async () => void fireEvent.click(button("Let the search choose it")));
    expect(study(page)?.vary?.map(({ path }) => path)).toEqual([THRESHOLD.path, WEIGHT.path, TRANSPORT.path]);
    expect(study(page)?.ask.kind).toBe("search");
  });

  it("of all classes is found by its path, and one that cannot vary offers nothing", async () => {
    const page = await shown(<VaryThis path="transport.transport" />, null);
    await act(async () => void fireEvent.click(button("Vary this")));
    expect(study(page)?.vary).toEqual([{ path: TRANSPORT.path, values: ["qtcp", "dctcp"] }]);
    cleanup();
    await shown(<VaryThis path="seed" />, null);
    expect(screen.queryByRole("button")).toBeNull();
  });
});

describe("below what theory recommends", () => {
  it("stands the way to a search over what it recommends", async () => {
    const page = await shown(<FoundSettings />, null);
    await act(async () => void fireEvent.click(button("Find settings that meet my targets")));
    expect(study(page)).toMatchObject({
      vary: [{ path: THRESHOLD.path }],
      ask: { kind: "search", prefer: [{ of: THRESHOLD.path, wanted: "min" }] },
    });
  });

  it("stands what a search of this scenario found", async () => {
    runs.next = { table: searchTable, answer: { kind: "search", ...foundAnswer } };
    await shown(<FoundSettings />, searchStudy);
    expect(screen.getByRole("heading", { name: "Found by the search" })).toBeTruthy();
    expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "K 140 packets → 22 packets",
      "Targets hold in 40 of 40 unseen seeds.",
    ]);
  });
});
