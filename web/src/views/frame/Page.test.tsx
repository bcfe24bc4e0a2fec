// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { exploreView, STACK } from "../../workbench/state/exploreView.ts";
import { flag } from "../../workbench/view/linkedState.ts";
import { useViewState } from "../../workbench/view/viewContext.tsx";
import { type ViewPages, viewPage } from "../../workbench/view/viewPage.ts";
import { defineView } from "../../workbench/view/views.ts";
import { PAGES, VIEWS } from "../registry.ts";
import { furnish, type TestPage, testPage, testScenario } from "../testPage.tsx";
import { Page } from "./Page.tsx";

beforeAll(furnish);
afterEach(cleanup);

/** The whole page over a run that stands at 20 us, once all its parts have appeared. */
async function shown(page: TestPage = testPage(), pages: ViewPages = PAGES): Promise<TestPage> {
  page.session.begin(page.session.scenario);
  page.run(20);
  await act(async () => void page.show(<Page pages={pages} />));
  await screen.findByRole("table", { name: /stage and class/ });
  await charts();
  return page;
}

/** What the stacked charts show, once they have appeared. */
const charts = () =>
  waitFor(() => {
    const shown = [
      ...screen.getByRole("region", { name: "Signals over time" }).querySelectorAll("[data-chart]"),
    ];
    expect(shown).toHaveLength(STACK.length);
    return shown.map((chart) => chart.getAttribute("data-chart"));
  });
const title = (name: string) => screen.getByRole("button", { name: `${name}, choose what the chart shows` });
/** The entries of the menu that is open. */
const entry = (name: RegExp) => screen.findByRole("menuitemradio", { name });

describe("the stacked charts", () => {
  it("are throughput, quality factor and queue at first", async () => {
    await shown();
    expect(await charts()).toEqual(["throughput", "quality", "queue"]);
  });

  it("show what is chosen from the menu of their title, each for itself", async () => {
    const { views } = await shown();
    fireEvent.click(title("Bottleneck queue"));
    expect(await entry(/^Throughput Gb\/s/)).toBeTruthy();
    fireEvent.click(await entry(/^Sending rate/));
    expect(await charts()).toEqual(["throughput", "quality", "rateGbps"]);
    expect(views.stateOf(exploreView).charts[2]).toEqual({ subject: "rateGbps", by: "class" });
    fireEvent.click(title("Throughput"));
    fireEvent.click(await entry(/^Bottleneck queue/));
    expect(await charts()).toEqual(["queue", "quality", "rateGbps"]);
  });

  it("say why a quantity cannot be shown, and do not show it", async () => {
    await shown();
    fireEvent.click(title("Quality factor"));
    const paused = await entry(/^Paused links/);
    expect(paused.getAttribute("aria-disabled")).toBe("true");
    expect(paused.textContent).toContain("no pause frames");
    fireEvent.click(paused);
    expect(await charts()).toEqual(["throughput", "quality", "queue"]);
  });

  it("can each be read as a table", async () => {
    await shown();
    fireEvent.click(screen.getByRole("button", { name: "Throughput: table and export" }));
    fireEvent.click(await screen.findByRole("menuitem", { name: /^As table/ }));
    const table = within(await screen.findByRole("region", { name: "Throughput, table" }));
    expect(table.getAllByRole("columnheader").map((header) => header.textContent)).toContain(
      "High target (Gb/s)",
    );
    expect(table.getAllByRole("rowheader")).toHaveLength(2);
  });

  it("show what a link says", async () => {
    const page = testPage();
    page.views.restore({
      kind: "json",
      json: '{"state":{"charts":["queue","rateGbps:connection","throughput"],"stages":"p99"}}',
    });
    await shown(page);
    expect(await charts()).toEqual(["queue", "rateGbps", "throughput"]);
    expect(title("Sending rate")).toBeTruthy();
    expect(screen.getByRole("radio", { name: "Connections", checked: true })).toBeTruthy();
    expect(screen.getByRole("table", { name: /slowest 1 %/ })).toBeTruthy();
    expect(screen.queryByRole("status")).toBeNull();
  });
});

describe("the results", () => {
  it("are a row a class: carried, target, Q and percentiles", async () => {
    await shown();
    const table = within(screen.getByRole("region", { name: /^Now/ })).getByRole("table");
    const rows = within(table).getAllByRole("row").slice(1);
    expect(rows.map((row) => within(row).getByRole("rowheader").textContent?.trim())).toEqual(
      testScenario.classes.map(({ name }) => name),
    );
    const cells = within(rows[1] as HTMLElement).getAllByRole("cell");
    expect(cells.map((cell) => cell.textContent)).toEqual(["20.0", "20.0", "1.00", "100", "200", "few"]);
  });
});

describe("notices", () => {
  it("say what of a link could not be shown, until dismissed", async () => {
    const page = testPage();
    page.views.restore({ kind: "json", json: '{"view":"oracle"}' });
    await shown(page);
    const notice = screen.getByRole("status");
    expect(notice.textContent).toContain("“oracle”");
    fireEvent.click(within(notice).getByRole("button", { name: "Dismiss" }));
    expect(screen.queryByRole("status")).toBeNull();
  });

  it("say that the engine does not answer, and lead back to where the run stood", async () => {
    const { session, requests } = await shown();
    act(() => session.run.setState({ silent: true }));
    fireEvent.click(screen.getByRole("button", { name: "Resume at 0.020 ms" }));
    expect(requests.findLast(({ kind }) => kind === "load")).toMatchObject({ fromUs: 20 });
  });

  it("say that the page was in the background", async () => {
    const { session, requests } = await shown();
    act(() => session.run.setState({ pausedInBackground: true }));
    const notice = screen.getByRole("status");
    expect(notice.textContent).toContain("paused at 0.020 ms");
    fireEvent.click(within(notice).getByRole("button", { name: "Resume" }));
    expect(requests.at(-1)).toMatchObject({ kind: "play" });
  });
});

describe("the playback bar", () => {
  it("plays, steps a round trip, goes to the end and starts anew", async () => {
    const { requests } = await shown();
    const bar = within(screen.getByRole("region", { name: "Time" }));
    fireEvent.click(bar.getByRole("button", { name: "Play" }));
    expect(requests.at(-1)).toMatchObject({ kind: "play" });
    fireEvent.click(bar.getByRole("button", { name: "Step by 1 RTT" }));
    expect(requests.at(-1)).toMatchObject({ kind: "step", us: 25 });
    fireEvent.change(bar.getByLabelText("Length of a step"), { target: { value: "1ms" } });
    fireEvent.click(bar.getByRole("button", { name: "Step by 1 ms" }));
    expect(requests.at(-1)).toMatchObject({ kind: "step", us: 1000 });
    const position = bar.getByRole("slider", { name: "Position in the run" });
    expect(position.getAttribute("aria-valuetext")).toMatch(/^0\.020 ms of/);
    fireEvent.keyDown(position, { key: "End" });
    expect(requests.at(-1)).toMatchObject({ kind: "step", us: testScenario.durationUs - 20 });
    fireEvent.click(bar.getByRole("button", { name: "Rerun from the start" }));
    expect(requests.findLast(({ kind }) => kind === "load")).toMatchObject({ fromUs: 0, playing: true });
  });

  it("pauses a run that goes on, and reruns one that has ended", async () => {
    const page = await shown();
    act(() => page.run(30, "running"));
    fireEvent.click(screen.getByRole("button", { name: "Pause" }));
    expect(page.requests.at(-1)).toMatchObject({ kind: "pause" });
    act(() => page.run(testScenario.durationUs, "ended"));
    expect(screen.getByRole("button", { name: "Rerun" })).toBeTruthy();
  });

  it("sets the speed", async () => {
    const { requests } = await shown();
    const speed = screen.getByLabelText("Speed, simulated time per second");
    fireEvent.change(speed, { target: { value: "Infinity" } });
    expect(requests.at(-1)).toMatchObject({ kind: "speed", speed: Number.POSITIVE_INFINITY });
  });
});

describe("the list of scenarios", () => {
  it("finds scenarios by words, says so when there is none, and opens one", async () => {
    const { session } = await shown();
    fireEvent.click(screen.getByRole("button", { name: testScenario.name }));
    const search = await screen.findByRole("searchbox", { name: "Find a scenario" });
    await screen.findByRole("navigation", { name: "Themes" }, { timeout: 10_000 });
    fireEvent.change(search, { target: { value: "no such words" } });
    expect(screen.getByText("No scenario has “no such words” in it.")).toBeTruthy();
    fireEvent.change(search, { target: { value: "dctcp fig12a" } });
    const found = document.querySelectorAll<HTMLElement>(".preset");
    expect(found).toHaveLength(1);
    fireEvent.click(found[0] as HTMLElement);
    expect(session.scenario.name).toMatch(/Writes at the sender with DCTCP/);
  });
});

describe("a second view", () => {
  /** Counts, as state that a link would carry. */
  const second = defineView({
    id: "second",
    title: "Second",
    icon: "list",
    fields: { on: flag(false) },
  });
  const secondPage = viewPage(second, () => Promise.resolve({ default: Second }));
  function Second() {
    const [{ on }, change] = useViewState(second);
    return (
      <main>
        <button type="button" aria-pressed={on} onClick={() => change({ on: !on })}>
          Its switch
        </button>
      </main>
    );
  }

  it("is not offered while there is none", async () => {
    await shown(testPage(testScenario, [exploreView]));
    expect(screen.queryByRole("navigation", { name: "Views" })).toBeNull();
  });

  it("brings the switch of views, keeps its state and goes into the link", async () => {
    const { views } = await shown(testPage(testScenario, [...VIEWS, second]), [...PAGES, secondPage]);
    const nav = within(screen.getByRole("navigation", { name: "Views" }));
    expect(nav.getByRole("button", { current: "page" }).textContent).toBe("Explore");
    await act(async () => void fireEvent.click(nav.getByRole("button", { name: "Second" })));
    expect(nav.getByRole("button", { current: "page" }).textContent).toBe("Second");
    expect(screen.queryByRole("region", { name: "Signals over time" })).toBeNull();
    fireEvent.click(await screen.findByRole("button", { name: "Its switch" }));
    expect(JSON.parse(views.linked())).toEqual({ view: "second", state: { on: true } });
    await act(async () => void fireEvent.click(nav.getByRole("button", { name: "Explore" })));
    expect(await charts()).toEqual(["throughput", "quality", "queue"]);
    await act(async () => void fireEvent.click(nav.getByRole("button", { name: "Second" })));
    expect(screen.getByRole("button", { name: "Its switch", pressed: true })).toBeTruthy();
  });

  it("that cannot be drawn leaves the page and the other views alone", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const broken = viewPage(second, () =>
      Promise.resolve({
        default: (): never => {
          throw new Error("injected by the test");
        },
      }),
    );
    await shown(testPage(testScenario, [...VIEWS, second]), [...PAGES, broken]);
    const nav = within(screen.getByRole("navigation", { name: "Views" }));
    await act(async () => void fireEvent.click(nav.getByRole("button", { name: "Second" })));
    expect((await screen.findByRole("alert")).textContent).toContain("Second cannot be shown");
    await act(async () => void fireEvent.click(nav.getByRole("button", { name: "Explore" })));
    expect(await charts()).toHaveLength(3);
  });
});
