import { transfer } from "comlink";
import { afterEach, describe, expect, it, vi } from "vitest";
import { EngineRefused, TimeLimitExceeded, Unfetched } from "./errors.ts";
import { testWorker } from "./testWorker.ts";
import { callOnce, connect } from "./workerClient.ts";

const diagnostic = { path: "seed", reason: "must be at least 0", hint: "Raise it.", severity: "error" };

const api = {
  double: (value: number) => 2 * value,
  refused: () => {
    throw JSON.stringify([diagnostic]);
  },
  unfetched: () => {
    throw new Unfetched();
  },
  failed: () => {
    throw new RangeError("out of memory");
  },
  silent: () => new Promise<void>(() => {}),
  bytes: () => {
    const bytes = new Uint8Array([1, 2]);
    sent = bytes;
    return transfer(bytes, [bytes.buffer]);
  },
};
let sent = new Uint8Array();

const connected = () => {
  const { worker, create } = testWorker(api);
  return { worker, ...connect<typeof api>(create()) };
};

afterEach(() => void vi.useRealTimers());

describe("a worker of which the page calls functions", () => {
  it("answers each call", async () => {
    const { api, end } = connected();
    expect(await Promise.all([api.double(1), api.double(2)])).toEqual([2, 4]);
    end(new Error("over"));
  });

  it("passes on diagnostics that the engine throws, and other errors with their messages", async () => {
    const { api, end } = connected();
    const error = await api.refused().catch((error) => error);
    expect(error).toBeInstanceOf(EngineRefused);
    expect(error.diagnostics).toEqual([diagnostic]);
    expect(error.message).toBe("seed: must be at least 0. Raise it.");
    await expect(api.unfetched()).rejects.toBeInstanceOf(Unfetched);
    await expect(api.failed()).rejects.toThrow("out of memory");
    end(new Error("over"));
  });

  it("transfers buffers", async () => {
    const { api, end } = connected();
    expect(await api.bytes()).toEqual(new Uint8Array([1, 2]));
    expect(sent.byteLength).toBe(0);
    end(new Error("over"));
  });

  it("rejects pending and later calls if it fails, is ended or cannot be fetched", async () => {
    const failing = async (stop: (connection: ReturnType<typeof connected>) => void) => {
      const connection = connected();
      const pending = connection.api.silent();
      stop(connection);
      const first = await pending.catch((error: Error) => error.message);
      expect(await connection.api.double(1).catch((error: Error) => error.message)).toBe(first);
      expect(connection.worker.ended).toBe(true);
      return first;
    };
    expect(await failing(({ worker }) => worker.fail("unreachable"))).toBe("unreachable");
    expect(await failing(({ end }) => end(new Error("closed")))).toBe("closed");
    expect(await failing(({ worker }) => worker.fail(""))).toBe(
      "The engine could not be fetched. Try again.",
    );
  });

  it("that is called once ends with its answer, or when the time limit is exceeded", async () => {
    const answered = testWorker(api);
    expect(await callOnce(connect<typeof api>(answered.create()), (api) => api.double(3))).toBe(6);
    expect(answered.worker.ended).toBe(true);
    vi.useFakeTimers();
    const slow = testWorker(api);
    const check = callOnce(connect<typeof api>(slow.create()), (api) => api.silent(), 2000);
    vi.advanceTimersByTime(2000);
    await expect(check).rejects.toThrow("more than 2 s");
    await expect(check).rejects.toBeInstanceOf(TimeLimitExceeded);
    expect(slow.worker.ended).toBe(true);
  });
});
