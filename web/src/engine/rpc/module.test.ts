import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

/** The least module there is. */
const BYTES = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
const COMPILED = new WebAssembly.Module(BYTES);

/** Fetches under way, in their order. */
let fetched: { resolve(response: Response): void; reject(error: Error): void }[] = [];

const typed = () => new Response(BYTES, { headers: { "Content-Type": "application/wasm" } });

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  fetched = [];
  vi.stubGlobal("self", new EventTarget());
  vi.stubGlobal(
    "fetch",
    () => new Promise<Response>((resolve, reject) => void fetched.push({ resolve, reject })),
  );
  vi.spyOn(WebAssembly, "compileStreaming").mockResolvedValue(COMPILED);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Workers that note what they are told, as they are handed the module. */
async function page() {
  const { withEngine } = await import("./module.ts");
  return (name?: "figures") => {
    const told: unknown[] = [];
    withEngine({ postMessage: (message: unknown) => void told.push(message) } as unknown as Worker, name);
    return told;
  };
}

/** Lets what follows from a promise happen. */
const settle = () => vi.advanceTimersByTimeAsync(0);

describe("the module of the engine", () => {
  it("is fetched once for all workers, before and after it has come", async () => {
    const hire = await page();
    const [one, other] = [hire(), hire()];
    fetched[0]?.resolve(typed());
    await settle();
    vi.advanceTimersByTime(1e6);
    const late = hire();
    await settle();
    expect(fetched).toHaveLength(1);
    expect([one, other, late]).toEqual([
      [{ engine: COMPILED }],
      [{ engine: COMPILED }],
      [{ engine: COMPILED }],
    ]);
  });

  it("is one of two, each fetched when a worker first needs it", async () => {
    const hire = await page();
    hire();
    expect(fetched).toHaveLength(1);
    hire("figures");
    hire("figures");
    expect(fetched).toHaveLength(2);
  });

  it("is fetched again for the next worker where it did not come, and the worker that waited is told", async () => {
    const hire = await page();
    const first = hire();
    const failure = new TypeError("Failed to fetch");
    fetched[0]?.reject(failure);
    await settle();
    expect(first).toEqual([{ engine: failure }]);
    const second = hire();
    fetched[1]?.resolve(typed());
    await settle();
    expect(second).toEqual([{ engine: COMPILED }]);
  });

  it("is compiled from a host that does not say what it is, too", async () => {
    const hire = await page();
    const told = hire();
    fetched[0]?.resolve(new Response(BYTES));
    await vi.waitFor(() => expect(told).toEqual([{ engine: expect.any(WebAssembly.Module) }]));
    expect(WebAssembly.compileStreaming).not.toHaveBeenCalled();
  });

  it("that has not come for long is fetched again for the next worker, and still goes to those that wait", async () => {
    const hire = await page();
    const first = hire();
    vi.advanceTimersByTime(14_999);
    hire();
    expect(fetched).toHaveLength(1);
    vi.advanceTimersByTime(1);
    const second = hire();
    expect(fetched).toHaveLength(2);
    fetched[0]?.resolve(typed());
    await settle();
    expect([first, second]).toEqual([[{ engine: COMPILED }], []]);
  });
});

describe("a worker", () => {
  const say = (data: unknown) => self.dispatchEvent(new MessageEvent("message", { data }));

  it("is ready with the module that it is handed, of which its mailbox does not hear", async () => {
    const { engineReady } = await import("./module.ts");
    const ready = engineReady(async ({ module_or_path }) => module_or_path);
    const heard: unknown[] = [];
    const hear = ({ data }: MessageEvent) => void heard.push(data);
    self.addEventListener("message", hear);
    say({ kind: "ping" });
    say({ engine: COMPILED });
    say({ kind: "load" });
    self.removeEventListener("message", hear);
    expect(await ready).toBe(COMPILED);
    expect(heard).toEqual([{ kind: "ping" }, { kind: "load" }]);
  });

  it("says why no module came", async () => {
    const { engineReady } = await import("./module.ts");
    const ready = engineReady(async () => "never");
    say({ engine: new TypeError("Failed to fetch") });
    await expect(ready).rejects.toThrow("Failed to fetch");
  });
});
