// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { decodeFragment, decodeView, encodeFragment } from "../scenario/codec.ts";
import { exploreView } from "../workbench/state/exploreView.ts";
import { openAddress, openLink, tellWhereItWaits } from "../workbench/view/address.ts";
import { keepAddress } from "./keepAddress.ts";
import { testPage, testScenario } from "./testPage.tsx";

/** Longer than the page waits before it writes a change to the address. */
const SOON_MS = 300;

describe("the address", () => {
  let stop = () => {};
  beforeEach(() => {
    vi.useFakeTimers();
    history.replaceState(null, "", "/");
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });

  function kept() {
    const page = testPage();
    page.session.begin(testScenario);
    stop = keepAddress(page.session, page.views);
    return page;
  }
  const view = () => decodeView(location.hash);
  const name = () => {
    const decoded = decodeFragment(location.hash);
    return decoded.kind === "json" ? (JSON.parse(decoded.json) as { name: string }).name : decoded.kind;
  };

  it("holds the scenario alone while the view is as at first", () => {
    kept();
    expect(location.hash).toBe(encodeFragment(testScenario));
    expect(view()).toEqual({ kind: "none" });
  });

  it("says where the run waits, and a link that does brings it there", async () => {
    const { session, views } = kept();
    const stopTelling = tellWhereItWaits(session, views);
    session.run.setState({ phase: "running", nowUs: 1000 });
    session.run.setState({ phase: "paused", nowUs: 2500.5 });
    vi.advanceTimersByTime(SOON_MS);
    expect(view()).toEqual({ kind: "json", json: '{"atUs":2500.5}' });
    const { hash } = location;
    session.run.setState({ phase: "running" });
    vi.advanceTimersByTime(SOON_MS);
    expect(view()).toEqual({ kind: "none" });
    stopTelling();

    const other = testPage();
    await openAddress(other.session, other.views, hash);
    expect(other.requests.findLast(({ kind }) => kind === "load")).toMatchObject({
      playing: false,
      fromUs: 2500.5,
    });
  });

  it("follows the view without an entry in the history", () => {
    const { views } = kept();
    const { length } = history;
    for (let change = 0; change < 40; change++) {
      views.change(exploreView, { tables: change % 2 === 0 });
      vi.advanceTimersByTime(SOON_MS);
    }
    views.change(exploreView, { stages: "p99" });
    vi.advanceTimersByTime(SOON_MS);
    expect(view()).toEqual({ kind: "json", json: '{"state":{"stages":"p99"}}' });
    expect(history.length).toBe(length);
    views.change(exploreView, { stages: "mean" });
    vi.advanceTimersByTime(SOON_MS);
    expect(location.hash).toBe(encodeFragment(testScenario));
  });

  it("is no step of undo while only the view changes", () => {
    const { session, views } = kept();
    views.change(exploreView, { tables: true });
    vi.advanceTimersByTime(SOON_MS);
    expect(session.store.getState().history).toMatchObject({ past: [], future: [] });
  });

  it("gets an entry for another scenario, which keeps the view", () => {
    const { session, views } = kept();
    const pushed = vi.spyOn(history, "pushState");
    views.change(exploreView, { tables: true });
    session.begin({ ...testScenario, name: "Another" });
    expect(pushed).toHaveBeenCalledTimes(1);
    expect(name()).toBe("Another");
    expect(view()).toMatchObject({ json: '{"state":{"tables":true}}' });
  });

  it("address_that_changed_while_the_page_began_is_opened", async () => {
    const page = testPage();
    page.session.begin(testScenario);
    const link = encodeFragment(testScenario, '{"state":{"tables":true}}');
    history.replaceState(null, "", link);
    stop = keepAddress(page.session, page.views, "");
    await vi.waitFor(() => expect(page.views.stateOf(exploreView).tables).toBe(true));
    vi.advanceTimersByTime(SOON_MS);
    expect(location.hash).toBe(link);
  });

  it("brings back a scenario with the view that its entry has", () => {
    const { session, views } = kept();
    const entry = { state: history.state as unknown, hash: location.hash };
    session.begin({ ...testScenario, name: "Another" });
    views.change(exploreView, { tables: true });
    vi.advanceTimersByTime(SOON_MS);
    history.replaceState(entry.state, "", entry.hash);
    dispatchEvent(new PopStateEvent("popstate", { state: entry.state }));
    expect(session.scenario).toBe(testScenario);
    expect(views.stateOf(exploreView).tables).toBe(false);
    vi.advanceTimersByTime(SOON_MS);
    expect(location.hash).toBe(entry.hash);
  });

  it("opens a link with its view, and without one as at first", async () => {
    const { session, views } = testPage();
    const link = encodeFragment(testScenario, '{"state":{"tables":true}}');
    expect(await openLink(session, views, link)).toBe("opened");
    expect(views.stateOf(exploreView).tables).toBe(true);
    expect(await openAddress(session, views, "")).toBe("opened");
    expect(views.stateOf(exploreView).tables).toBe(false);
  });

  it("opens a scenario whose view is damaged, and says so", async () => {
    const { session, views } = testPage();
    const link = encodeFragment(testScenario, '{"state":{"tables":true}}').slice(0, -4);
    expect(await openLink(session, views, link)).toBe("opened");
    expect(session.scenario.name).toBe(testScenario.name);
    expect(views.store.getState().notice).toMatch(/missing or damaged/);
  });
});
