import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { openDB } from "idb";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { browserResults } from "./resultsStore.ts";

const NAME = "results of a test";
const DAY = 24 * 60 * 60 * 1000;

const summary = (digest: string) => JSON.stringify({ digest, classes: [{ name: "High" }] });
const summaries = (...keys: string[]) => new Map(keys.map((key) => [key, summary(key)]));

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

describe("the results that a browser keeps", () => {
  it("come back as they were, in another window too, and no others", async () => {
    const store = browserResults(NAME);
    await store.put(summaries("a", "b"));
    const other = browserResults(NAME);
    expect(await other.get(["b", "c", "a"])).toEqual(new Map([...summaries("b"), ...summaries("a")]));
  });

  it("are counted once however often and from however many windows they are put", async () => {
    const stores = [browserResults(NAME), browserResults(NAME)];
    for (const store of stores) await store.put(summaries("a", "b"));
    await Promise.all(stores.map((store, at) => store.put(summaries("b", `${at}`))));
    const kept = await browserResults(NAME).kept();
    const one = await browserResults(`${NAME} of one`);
    await one.put(summaries("a"));
    const { bytes } = await one.kept();
    expect(kept).toMatchObject({ count: 4, bytes: 4 * bytes, fault: null });
  });

  it("are forgotten beyond the limit, those first that were used least recently", async () => {
    let now = 0;
    const make = (limit: number) => browserResults(NAME, limit, () => now);
    const all = make(1e9);
    for (const key of ["1", "2", "3", "4"]) {
      now += DAY;
      await all.put(summaries(key));
    }
    now += 2 * DAY;
    await all.use(["1", "nobody's"]);
    const { bytes } = await all.kept();
    now += 1;
    const limited = make(bytes);
    await limited.put(summaries("5"));
    expect([...(await limited.get(["1", "2", "3", "4", "5"])).keys()]).toEqual(["1", "4", "5"]);
    const kept = await limited.kept();
    expect(kept).toMatchObject({ count: 3, bytes: (bytes / 4) * 3, limitBytes: bytes });
  });

  it("count a use within a day once", async () => {
    let now = 0;
    const store = browserResults(NAME, 1e9, () => now);
    await store.put(summaries("a"));
    const at = async () => (await (await openDB(NAME, 1)).get("uses", "a"))?.at;
    now = DAY;
    await store.use(["a"]);
    expect(await at()).toBe(0);
    now = DAY + 1;
    await store.use(["a"]);
    expect(await at()).toBe(DAY + 1);
  });

  it("are gone once they are forgotten", async () => {
    const store = browserResults(NAME);
    await store.put(summaries("a"));
    await store.forget();
    expect((await store.get(["a"])).size).toBe(0);
    expect(await store.kept()).toMatchObject({ count: 0, bytes: 0 });
  });

  it("are none where the browser keeps nothing, and it says so", async () => {
    vi.spyOn(indexedDB, "open").mockImplementation(() => {
      throw new DOMException("denied", "SecurityError");
    });
    const store = browserResults(NAME);
    await store.put(summaries("a"));
    expect((await store.get(["a"])).size).toBe(0);
    expect((await store.kept()).fault).toContain("private window");
  });

  it("make room where the browser has less than the limit", async () => {
    const store = browserResults(NAME);
    await store.put(summaries("a", "b", "c", "d"));
    const put = IDBObjectStore.prototype.put;
    const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementationOnce(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    full.mockImplementation(put);
    await store.put(summaries("e"));
    expect(await store.kept()).toMatchObject({ count: 3, fault: null });
    full.mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    await store.put(summaries("f"));
    expect((await store.kept()).fault).toContain("no more room");
  });

  it("of a newer page are not touched", async () => {
    (await openDB(NAME, 2)).close();
    const store = browserResults(NAME);
    await store.put(summaries("a"));
    expect((await store.kept()).fault).toContain("newer QoScope");
  });
});
