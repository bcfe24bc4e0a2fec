import { describe, expect, it } from "vitest";
import { lockClaims } from "./claims.ts";

/** Locks as a browser has them: one holder of a name, the others in line. */
class Locks {
  private readonly held = new Set<string>();
  private readonly line: (() => void)[] = [];
  async request(name: string, options: LockOptions, work: (lock: Lock | null) => unknown): Promise<unknown> {
    if (this.held.has(name)) {
      if (options.ifAvailable) return work(null);
      await new Promise<void>((go, reject) => {
        this.line.push(go);
        options.signal?.addEventListener("abort", () => {
          this.line.splice(this.line.indexOf(go), 1);
          reject(options.signal?.reason);
        });
      });
    }
    this.held.add(name);
    try {
      return await work({ name, mode: "exclusive" });
    } finally {
      this.held.delete(name);
      this.line.shift()?.();
    }
  }
}

const windows = () => {
  const locks = new Locks() as unknown as LockManager;
  return [lockClaims(locks), lockClaims(locks)] as const;
};
const never = new AbortController().signal;

describe("claims to runs", () => {
  it("are of one window at a time", async () => {
    const [one, two] = windows();
    expect(await one.take("a")).toBe(true);
    expect(await two.take("a")).toBe(false);
    expect(await two.take("b")).toBe(true);
    one.release("a");
    await two.free("a", never);
    expect(await two.take("a")).toBe(true);
  });

  it("are waited for until they are released, or nobody waits any more", async () => {
    const [one, two] = windows();
    await one.take("a");
    const stop = new AbortController();
    const given = two.free("a", stop.signal);
    stop.abort();
    await expect(given).rejects.toThrow("abort");
    const free = two.free("a", never);
    one.release("a");
    await free;
  });

  it("are always had where the browser knows no locks", async () => {
    const alone = lockClaims(null);
    expect(await alone.take("a")).toBe(true);
    alone.release("a");
    await alone.free("a", never);
  });
});
