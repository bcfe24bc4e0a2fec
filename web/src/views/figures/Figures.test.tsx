// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { compareView } from "../../workbench/state/compareView.ts";
import { exploreView } from "../../workbench/state/exploreView.ts";
import { figuresView } from "../../workbench/state/figuresView.ts";
import { testPage } from "../testPage.tsx";
import { TEST_RESULTS } from "./testResults.ts";

const kept = TEST_RESULTS.figures["paper1-fig12a"];

/** An engine whose figures have all that they need, and the digest that it is told to find. */
const found = vi.hoisted(() => ({ digest: "", waits: false }));
vi.mock("./figureFiles.ts", async (original) => {
  const files = await original<typeof import("./figureFiles.ts")>();
  const shown = files.FIGURE_FILES.filter(({ id }) => id in TEST_RESULTS.figures);
  return { ...files, FIGURE_FILES: shown, RESULTS: TEST_RESULTS, PAPERS: ["Paper 1", "MQSim"] };
});
vi.mock("./running.ts", async () => {
  const { FigureRuns } = await import("../../engine/campaign/figures/figureRuns.ts");
  const { runWorkers, TestCampaign, testCampaigns } = await import("../../engine/campaign/testCampaign.ts");
  const { create } = testCampaigns(
    () =>
      new TestCampaign(found.waits ? 1 : 0, 0, {
        opened: {},
        changed: () => ({ rows: [] }),
        answer: () => ({ rows: kept?.rows, digest: found.digest, events: 0 }),
      }),
    undefined,
    undefined,
    { figureScenarios: () => "[]" },
  );
  const createRunWorker = runWorkers({ held: true }).create;
  const runs = new FigureRuns((name) => ({ name }), { createWorker: create, createRunWorker });
  runs.calibrate = () => {};
  return { figureRuns: runs, requestOf: ({ id }: { id: string }) => ({ id, json: id, events: 0 }) };
});

beforeAll(() => {
  Object.assign(window, { innerWidth: 1440, innerHeight: 900 });
});
afterEach(cleanup);
beforeEach(() => {
  found.waits = false;
  found.digest = kept?.digest ?? "";
});

async function shown(figure = "") {
  const { default: Figures } = await import("./Figures.tsx");
  const page = testPage();
  page.views.open(figuresView, { figure });
  page.show(<Figures />);
  return page;
}
const cards = () =>
  screen.queryAllByRole("article").map((card) => within(card).getByRole("button").textContent);

describe("the cards of figures", () => {
  it("say how many rows are reproduced, of all and of each", async () => {
    await shown();
    expect(screen.getByText(/4 of 5 rows reproduced/).parentElement?.textContent).toBe(
      "4 of 5 rows reproduced, 0 in order only, 1 not",
    );
    const [card] = screen.getAllByRole("article");
    expect(card?.textContent).toContain("3 of 4 rows reproduced, 1 not");
    expect(card?.textContent).toContain("The gain of paper 1");
    expect(card?.textContent).toContain("and 1 more row");
    expect(
      within(card as HTMLElement)
        .getByRole("img")
        .getAttribute("aria-label"),
    ).toMatch(/Bars of Carried/);
  });

  it("are found by paper, verdict and words", async () => {
    const { views } = await shown();
    expect(cards()).toEqual(["Writes at the sender", "Writes to a full device"]);
    fireEvent.click(screen.getByRole("button", { name: /^MQSim/ }));
    expect(cards()).toEqual(["Writes to a full device"]);
    fireEvent.click(screen.getByRole("button", { name: /^Some not reproduced/ }));
    expect(cards()).toEqual([]);
    fireEvent.click(screen.getByRole("button", { name: "Show all figures" }));
    fireEvent.change(screen.getByLabelText("Find a figure"), { target: { value: "sender 3:2:1" } });
    expect(cards()).toEqual(["Writes at the sender"]);
    expect(views.stateOf(figuresView)).toMatchObject({ paper: "", verdict: "all", search: "sender 3:2:1" });
  });

  it("open, and have the focus again where one is closed", async () => {
    const { views } = await shown();
    fireEvent.click(screen.getByRole("button", { name: "Writes at the sender" }));
    expect(views.stateOf(figuresView).figure).toBe("paper1-fig12a");
    fireEvent.click(screen.getByRole("button", { name: "All figures" }));
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Writes at the sender"));
  });
});

describe("an opened figure", () => {
  it("has its claim, its table, its runs and its causes", async () => {
    await shown("paper1-fig12a");
    screen.getByText(/shares a full link by 3:2:1/);
    const table = screen.getAllByRole("table")[1] as HTMLElement;
    expect(within(table).getAllByRole("row")).toHaveLength(5);
    expect(table.textContent).toContain("−5.83");
    const runs = within(screen.getByRole("region", { name: "Runs" }))
      .getByText("QTCP, g = 1/2")
      .closest("tr");
    expect(runs?.textContent).toContain("High gain 0.5");
    expect(screen.getByRole("heading", { name: "The gain of paper 1" })).toBeTruthy();
    screen.getByText("Cuts are deep.");
  });

  it("leads to its runs in Explore, and side by side", async () => {
    const { session, views } = await shown("paper1-fig12a");
    fireEvent.click(screen.getByRole("button", { name: "Open QTCP, g = 1/2 in Explore" }));
    expect(session.scenario.classes[0]).toMatchObject({ gain: 0.5 });
    expect(views.store.getState().current).toBe(exploreView);
    act(() => views.open(figuresView, { figure: "paper1-fig12a" }));
    fireEvent.click(screen.getByRole("button", { name: "QTCP | DCTCP" }));
    expect(views.store.getState().current).toBe(compareView);
    expect(views.stateOf(compareView).baselines).toHaveLength(1);
  });

  it("of another simulator has its runs side by side, too", async () => {
    const { views } = await shown("ref-mqsim-gc");
    fireEvent.click(within(screen.getByRole("region", { name: "Compare side by side" })).getByRole("button"));
    expect(views.store.getState().current).toBe(compareView);
    expect(views.stateOf(compareView).baselines).toHaveLength(1);
  });

  it("says that the result is the same where it is", async () => {
    await shown("paper1-fig12a");
    fireEvent.click(screen.getByRole("button", { name: "Run again" }));
    await screen.findByText(
      /^The same digest as the command line and as the kept result: 57df2678ca4d70b4\.$/,
    );
  });

  it("says that it is not where the digest is another one", async () => {
    found.digest = "ffff000000000000";
    await shown("paper1-fig12a");
    fireEvent.click(screen.getByRole("button", { name: "Run again" }));
    await screen.findByText(/The digest here is ffff000000000000, that of the kept result 57df2678ca4d70b4/);
  });

  it("can be cancelled, and says what stays", async () => {
    found.waits = true;
    await shown("paper1-fig12a");
    fireEvent.click(screen.getByRole("button", { name: "Run again" }));
    fireEvent.click(await screen.findByRole("button", { name: "Cancel" }));
    await screen.findByText(/^Cancelled/);
    screen.getByRole("button", { name: "Run again" });
  });

  it("that there is not says so", async () => {
    await shown("paper9-fig1");
    screen.getByRole("heading", { name: "There is no figure “paper9-fig1”" });
  });
});

describe("the report of all figures", () => {
  it("is there while the page is printed", async () => {
    await shown();
    expect(document.querySelector(".figures-report")).toBeNull();
    act(() => void dispatchEvent(new Event("beforeprint")));
    const report = document.querySelector(".figures-report");
    expect(report?.textContent).toContain("Paper 1 End-to-end QoS430100");
    expect(report?.textContent).toContain("Paper 1, fig. 12a: Writes at the sender");
    act(() => void dispatchEvent(new Event("afterprint")));
    expect(document.querySelector(".figures-report")).toBeNull();
  });

  it("has every figure with its digest, and what this page found", async () => {
    const { reportOf } = await import("./report.ts");
    const run = {
      phase: "done",
      rows: [],
      wanted: 1,
      finished: 1,
      digest: "57df2678ca4d70b4",
      sentence: "",
    } as const;
    const report = reportOf("0.1.0", { "paper1-fig12a": run }, new Date(0));
    expect(report).toMatchObject({ engineVersion: "0.1.0", made: "1970-01-01T00:00:00.000Z" });
    expect(report.figures.map(({ id, digest, runHere }) => [id, digest, runHere?.same])).toEqual([
      ["paper1-fig12a", "57df2678ca4d70b4", true],
      ["ref-mqsim-gc", "0123456789abcdef", undefined],
    ]);
  });
});
