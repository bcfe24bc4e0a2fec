/// <reference lib="webworker" />

import init, { Engine, TraceShelf } from "../generated/wasm/qoscope_wasm.js";
import type { RunSummary } from "../run/repeats.ts";
import { engineReady } from "./module.ts";
import type { RunReply, RunRequest } from "./runProtocol.ts";
import { sentenceOf } from "./thrown.ts";

/** A worker of the pool: simulates one scenario after the other to its end, as fast as it can, and hands over summaries. */

/** Events between two reports of progress. */
const SLICE = 2_000_000;

const ready = engineReady(init);

const post = (reply: RunReply): void => self.postMessage(reply);

self.onmessage = async ({ data }: MessageEvent<RunRequest>) => {
  try {
    await ready;
    const startedMs = performance.now();
    const summary = simulated(data);
    post({ kind: "done", summary, ms: performance.now() - startedMs });
  } catch (error) {
    post({ kind: "failed", sentence: sentenceOf(error) });
  }
};

function simulated({ scenario, traces }: RunRequest): RunSummary {
  const shelf = new TraceShelf();
  for (const { name, bytes } of traces) shelf.insert(name, bytes);
  const engine = Engine.withTraces(scenario, shelf);
  const durationPs = engine.durationPs();
  while (engine.nowPs() < durationPs) {
    const nowPs = engine.advance(durationPs, SLICE);
    post({ kind: "progress", part: nowPs / durationPs });
  }
  const summary = JSON.parse(engine.summary()) as RunSummary;
  engine.free();
  shelf.free();
  return summary;
}
