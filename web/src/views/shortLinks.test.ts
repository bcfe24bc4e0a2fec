// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { decodeFragment, decodeView } from "../scenario/codec.ts";
import { firstScenario } from "../scenario/first.ts";
import { exploreView } from "../workbench/state/exploreView.ts";
import { openAddress, openLink } from "../workbench/view/address.ts";
import { word } from "../workbench/view/linkedState.ts";
import { readShort, shortText } from "../workbench/view/shortLinks.ts";
import { defineView } from "../workbench/view/views.ts";
import { keepAddress } from "./keepAddress.ts";
import { testPage, testScenario } from "./testPage.tsx";

const shelf = defineView({
  id: "shelf",
  title: "Shelf",
  icon: "list",
  fields: { book: word(""), search: word("") },
  short: {
    names: ["books", "book"],
    read: (name, value, options) =>
      name === "book" ? { book: value } : { search: options.get("search") ?? "" },
    write: ({ book, search }) => (book ? shortText("book", book) : shortText("books", "", { search })),
  },
});

const SOON_MS = 300;

describe("a short link", () => {
  it.each([
    ["#books", { search: "" }],
    ["books", { search: "" }],
    ["#books&search=tail%20latency&fbclid=1", { search: "tail latency" }],
    ["#book=a%20b", { book: "a b" }],
    ["#book=100%", { book: "100%" }],
  ])("is read: %s", (fragment, state) => {
    expect(readShort([exploreView, shelf], fragment)).toEqual({ view: shelf, state });
  });

  it.each(["", "#", "#2.abc.def", "#3.books", "#lesson=1", "#books.now", "#shelf"])(
    "is not %s",
    (fragment) => {
      expect(readShort([exploreView, shelf], fragment)).toBeNull();
    },
  );

  it("leaves out what is off or empty, and escapes the rest", () => {
    expect(shortText("learn", "2.4", { hide: true, lock: false, seed: "" })).toBe("learn=2.4&hide");
    expect(shortText("book", "a b&c", { search: "d=e" })).toBe("book=a%20b%26c&search=d%3De");
  });
});

describe("the address of a view with short links", () => {
  let stop = () => {};
  beforeEach(() => {
    vi.useFakeTimers();
    history.replaceState(null, "", "/");
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });

  async function opened(fragment: string) {
    const page = testPage(undefined, [exploreView, shelf]);
    await openAddress(page.session, page.views, fragment);
    stop = keepAddress(page.session, page.views);
    return page;
  }

  it("opens the view beside the first scenario, and stays short", async () => {
    const { session, views } = await opened("#book=emma");
    expect(session.scenario).toBe(firstScenario);
    expect(views.store.getState().current).toBe(shelf);
    expect(views.stateOf(shelf).book).toBe("emma");
    expect(location.hash).toBe("#book=emma");
  });

  it("is of the usual form beside a scenario of the person's own", async () => {
    const { session, views } = await opened("#books");
    session.begin(testScenario);
    views.open(shelf, { book: "emma" });
    vi.advanceTimersByTime(SOON_MS);
    expect(decodeFragment(location.hash)).toMatchObject({ kind: "json" });
    expect(decodeView(location.hash)).toEqual({
      kind: "json",
      json: '{"view":"shelf","state":{"book":"emma"}}',
    });
  });

  it("has an entry for each page, and none for what refines one", async () => {
    const { views } = await opened("#books");
    const pushed = vi.spyOn(history, "pushState");
    views.change(shelf, { search: "war" });
    vi.advanceTimersByTime(SOON_MS);
    expect(location.hash).toBe("#books&search=war");
    expect(pushed).not.toHaveBeenCalled();
    views.change(shelf, { book: "emma" });
    expect(pushed).toHaveBeenCalledTimes(1);
    expect(location.hash).toBe("#book=emma");
  });

  it("brings a page back without a new run", async () => {
    const { views, requests } = await opened("#books&search=war");
    const before = { state: history.state as unknown, hash: location.hash };
    views.change(shelf, { book: "emma" });
    const loads = () => requests.filter(({ kind }) => kind === "load").length;
    const { length } = history;
    const ran = loads();
    history.replaceState(before.state, "", before.hash);
    dispatchEvent(new PopStateEvent("popstate", { state: before.state }));
    vi.advanceTimersByTime(SOON_MS);
    expect(views.stateOf(shelf)).toEqual({ book: "", search: "war" });
    expect(location.hash).toBe("#books&search=war");
    expect(history.length).toBe(length);
    expect(loads()).toBe(ran);
  });

  it("is opened where a link is pasted, too", async () => {
    const { session, views } = testPage(undefined, [exploreView, shelf]);
    expect(await openLink(session, views, "book=emma")).toBe("opened");
    expect(views.stateOf(shelf).book).toBe("emma");
  });
});
