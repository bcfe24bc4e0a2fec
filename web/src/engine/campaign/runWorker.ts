/// <reference lib="webworker" />

import init, { Engine, TraceShelf } from "../../generated/wasm/qoscope_wasm.js";
import type { RunSummary } from "../../run/repeats.ts";
import { engineReady } from "../rpc/module.ts";
import { sentenceOf } from "../rpc/thrown.ts";
import type { RunReply, RunRequest } from "./runProtocol.ts";

/** A worker of the pool: simulates one scenario after the other to its end, as fast as it can, and hands over summaries. */

/** Events between two reports of progress. */
const SLICE = 2_000_000;

let shelf: TraceShelf;
const ready = engineReady(init).then(() => {
  shelf = new TraceShelf();
});

const post = (reply: RunReply): void => self.postMessage(reply);

self.onmessage = async ({ data }: MessageEvent<RunRequest>) => {
  try {
    await ready;
    const startedMs = performance.now();
    const json = simulated(data);
    const { engine } = JSON.parse(json) as RunSummary;
    post({ kind: "done", json, events: engine?.events ?? 0, ms: performance.now() - startedMs });
  } catch (error) {
    post({ kind: "failed", sentence: sentenceOf(error) });
  }
};

function simulated({ scenario, traces, mostEvents = Number.POSITIVE_INFINITY }: RunRequest): string {
  for (const { name, bytes } of traces) shelf.insert(name, bytes);
  const engine = Engine.withTraces(scenario, shelf);
  const durationPs = engine.durationPs();
  for (let events = 0; engine.nowPs() < durationPs && events < mostEvents; ) {
    const slice = Math.min(SLICE, mostEvents - events);
    const nowPs = engine.advance(durationPs, slice);
    events += slice;
    if (nowPs < durationPs) post({ kind: "progress", part: nowPs / durationPs });
  }
  const json = engine.summary();
  engine.free();
  return json;
}
