import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fetchFor, fetchUntilThere, unfetchedStore } from "./fetching.ts";

const unreachable = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a script that somebody asked for", () => {
  it("is offered again where it did not come, and then used once", async () => {
    const load = vi
      .fn<() => Promise<string>>()
      .mockImplementationOnce(unreachable)
      .mockResolvedValueOnce("it");
    const use = vi.fn();
    fetchFor(load, use);
    await vi.runAllTimersAsync();
    expect(use).not.toHaveBeenCalled();
    unfetchedStore.getState().list[0]?.retry();
    await vi.runAllTimersAsync();
    expect(use.mock.calls).toEqual([["it"]]);
    expect(unfetchedStore.getState().list).toEqual([]);
  });

  it("is not asked for again once that is dismissed", async () => {
    const load = vi.fn(unreachable);
    fetchFor(load, () => {});
    await vi.runAllTimersAsync();
    unfetchedStore.getState().list[0]?.dismiss();
    await vi.runAllTimersAsync();
    expect(unfetchedStore.getState().list).toEqual([]);
    expect(load).toHaveBeenCalledOnce();
  });
});

describe("a script that the page needs by itself", () => {
  it("is asked for after 1, 2, 4 ... s until it comes", async () => {
    const load = vi.fn<() => Promise<string>>();
    load.mockImplementation(unreachable);
    const found = fetchUntilThere(load);
    await vi.advanceTimersByTimeAsync(999);
    expect(load).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1 + 2000 + 3999);
    expect(load).toHaveBeenCalledTimes(3);
    load.mockResolvedValue("it");
    await vi.advanceTimersByTimeAsync(1);
    expect(await found).toBe("it");
  });
});
