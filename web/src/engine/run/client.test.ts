import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { firstScenario } from "../../scenario/first.ts";
import type { Scenario } from "../../scenario/types.ts";
import { EngineClient, type Load } from "./client.ts";
import type { Reply, RunRequest } from "./protocol.ts";

/** A worker that only notes what it is told. */
class Notebook {
  readonly requests: RunRequest[] = [];
  ended = false;
  onmessage: ((event: { data: Reply }) => void) | null = null;
  onerror: ((event: { message: string; preventDefault(): void }) => void) | null = null;
  postMessage(request: RunRequest) {
    this.requests.push(request);
  }
  terminate() {
    this.ended = true;
  }
}

function setUp() {
  const workers: Notebook[] = [];
  const replies: Reply[] = [];
  const client = new EngineClient(
    (reply) => replies.push(reply),
    () => {
      const worker = new Notebook();
      workers.push(worker);
      return worker as unknown as Worker;
    },
  );
  return { client, workers, replies };
}

const load = (generation: number, scenario: Scenario = firstScenario): Load => ({
  generation,
  scenario,
  playing: true,
  speed: 500,
  fromUs: 0,
  framePeriodMs: 16,
});

const loaded = (generation: number) => ({ data: { kind: "loaded", generation } as Reply });

describe("engine client", () => {
  it("keeps the latest of many loads while one is on its way", () => {
    const { client, workers } = setUp();
    for (let generation = 1; generation <= 5; generation++) client.load(load(generation));
    const worker = workers[0];
    expect(worker?.requests.map((request) => request.generation)).toEqual([1]);
    worker?.onmessage?.(loaded(1));
    expect(worker?.requests.map((request) => request.generation)).toEqual([1, 5]);
    worker?.onmessage?.(loaded(5));
    expect(worker?.requests).toHaveLength(2);
  });

  it("sends of a scenario that the worker has but for its timeline only that", () => {
    const { client, workers } = setUp();
    const timeline = [{ atUs: 10, path: "switch.ecnThresholdPackets", value: 40 }];
    const changed = { ...firstScenario, timeline };
    const other = { ...firstScenario, seed: 99 };
    const documents = () =>
      workers[0]?.requests.flatMap((request) => (request.kind === "load" ? [request.document] : []));
    const whole = (scenario: Scenario) => ({ of: "scenario", json: JSON.stringify(scenario) });
    client.load(load(1));
    workers[0]?.onmessage?.(loaded(1));
    client.load(load(2, changed));
    workers[0]?.onmessage?.(loaded(2));
    client.load(load(3, other));
    expect(documents()).toEqual([
      whole(firstScenario),
      { of: "timeline", json: JSON.stringify(timeline) },
      whole(other),
    ]);
    // Nobody knows what it has after it has refused one, or was told something else of it.
    workers[0]?.onmessage?.({ data: { kind: "diagnostics", generation: 3, of: "load", diagnostics: [] } });
    client.load(load(4, changed));
    workers[0]?.onmessage?.(loaded(4));
    client.send({ kind: "annotate", generation: 4, scenario: "{}" });
    client.load(load(5, changed));
    workers[0]?.onmessage?.(loaded(5));
    client.addTrace("a trace", new Uint8Array(1));
    client.load(load(6, changed));
    expect(documents()?.slice(3)).toEqual([whole(changed), whole(changed), whole(changed)]);
  });

  it("goes on after a load that was refused", () => {
    const { client, workers } = setUp();
    client.load(load(1));
    client.load(load(2));
    workers[0]?.onmessage?.({ data: { kind: "diagnostics", generation: 1, of: "load", diagnostics: [] } });
    expect(workers[0]?.requests.map((request) => request.generation)).toEqual([1, 2]);
  });

  it("tells how much memory the engine last had when a worker fails without a word", () => {
    const { client, workers, replies } = setUp();
    client.load(load(1));
    workers[0]?.onmessage?.({ data: { kind: "pong", memoryBytes: 7_000_000 } });
    workers[0]?.onerror?.({ message: "gone", preventDefault() {} });
    expect(replies).toMatchObject([{ kind: "trapped", nowUs: null, memoryBytes: 7_000_000 }]);
  });

  it("gives back the memory of runs that are over only where it is much", () => {
    const { client, workers } = setUp();
    client.load(load(1));
    workers[0]?.onmessage?.(loaded(1));
    workers[0]?.onmessage?.({ data: { kind: "pong", memoryBytes: 20_000_000 } });
    client.release();
    expect(workers[0]?.ended).toBe(false);
    workers[0]?.onmessage?.({ data: { kind: "pong", memoryBytes: 300_000_000 } });
    client.release();
    expect(workers[0]?.ended).toBe(true);
    client.load(load(2));
    expect(workers[1]?.requests.map((request) => request.generation)).toEqual([2]);
    // What the worker before had is not the memory of this one.
    client.release();
    expect(workers[1]?.ended).toBe(false);
  });

  it("ends a trapped worker alone and starts afresh at the next load", () => {
    const { client, workers, replies } = setUp();
    client.load(load(1));
    workers[0]?.onerror?.({ message: "out of memory", preventDefault() {} });
    expect(workers[0]?.ended).toBe(true);
    expect(replies).toMatchObject([{ kind: "trapped", message: "out of memory" }]);
    client.send({ kind: "play", generation: 1 });
    expect(workers).toHaveLength(1);
    client.load(load(2));
    expect(workers[1]?.requests).toHaveLength(1);
  });
});

describe("a worker that stops answering", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const pong = { data: { kind: "pong", memoryBytes: 0 } as Reply };
  const silences = (replies: readonly Reply[]) =>
    replies.flatMap((reply) => (reply.kind === "silence" ? [reply.silent] : []));

  /** A worker that answers once every 500 ms for a while. */
  function answered() {
    const page = setUp();
    page.client.load(load(1));
    for (let passed = 0; passed < 10_000; passed += 500) {
      page.workers[0]?.onmessage?.(pong);
      vi.advanceTimersByTime(500);
    }
    expect(silences(page.replies)).toEqual([]);
    page.workers[0]?.onmessage?.(pong);
    return page;
  }

  it("is noticed within two seconds", () => {
    const { replies } = answered();
    vi.advanceTimersByTime(1400);
    expect(silences(replies)).toEqual([]);
    vi.advanceTimersByTime(600);
    expect(silences(replies)).toEqual([true]);
  });

  it("is forgiven when it answers again", () => {
    const { replies, workers, client } = answered();
    vi.advanceTimersByTime(5000);
    workers[0]?.onmessage?.(pong);
    expect(silences(replies)).toEqual([true, false]);
    client.load(load(2));
    expect(workers).toHaveLength(1);
  });

  it("is ended and replaced by the next load", () => {
    const { replies, workers, client } = answered();
    vi.advanceTimersByTime(2000);
    client.load(load(2));
    expect(workers[0]?.ended).toBe(true);
    expect(workers[1]?.requests.map((request) => request.kind)).toEqual(["load"]);
    expect(silences(replies)).toEqual([true, false]);
  });

  it("is not seen where the page itself was held up", () => {
    const { replies, workers } = answered();
    // A page in the background, whose timers come once a minute, and whose worker answers each ping.
    vi.setSystemTime(Date.now() + 60_000);
    vi.advanceTimersByTime(375);
    workers[0]?.onmessage?.(pong);
    vi.setSystemTime(Date.now() + 60_000);
    vi.advanceTimersByTime(375);
    expect(silences(replies)).toEqual([]);
  });

  it("has more time while it starts", () => {
    const { client, replies } = setUp();
    client.load(load(1));
    vi.advanceTimersByTime(14_000);
    expect(silences(replies)).toEqual([]);
    vi.advanceTimersByTime(2000);
    expect(silences(replies)).toEqual([true]);
  });
});
