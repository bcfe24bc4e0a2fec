import { describe, expect, it } from "vitest";
import { EngineClient } from "./client.ts";
import type { LoadRequest, Reply, Request } from "./protocol.ts";

/** A worker that only notes what it is told. */
class Notebook {
  readonly requests: Request[] = [];
  ended = false;
  onmessage: ((event: { data: Reply }) => void) | null = null;
  onerror: ((event: { message: string; preventDefault(): void }) => void) | null = null;
  postMessage(request: Request) {
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

const load = (generation: number): LoadRequest => ({
  kind: "load",
  generation,
  scenario: "{}",
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

  it("goes on after a load that was refused", () => {
    const { client, workers } = setUp();
    client.load(load(1));
    client.load(load(2));
    workers[0]?.onmessage?.({ data: { kind: "faults", generation: 1, of: "load", faults: [] } });
    expect(workers[0]?.requests.map((request) => request.generation)).toEqual([1, 2]);
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
