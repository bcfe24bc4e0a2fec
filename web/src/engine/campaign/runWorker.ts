/// <reference lib="webworker" />

import init, { Engine, TraceShelf } from "../../generated/wasm/qoscope_wasm.js";
import type { RunSummary } from "../../run/repeats.ts";
import { serve } from "../rpc/serve.ts";
import type { RunApi, RunRequest } from "./runProtocol.ts";

/** A worker of the pool: simulates one scenario after the other to its end, as fast as it can, and hands over summaries. */

/** Events between two reports of progress. */
const SLICE = 2_000_000;

let shelf: TraceShelf | null = null;
let report: (part: number) => void = () => {};

serve(init, {
  reportTo(onPart) {
    report = onPart;
  },
  run(request) {
    const startedMs = performance.now();
    const json = simulated(request);
    const { engine } = JSON.parse(json) as RunSummary;
    return { json, events: engine?.events ?? 0, ms: performance.now() - startedMs };
  },
} satisfies RunApi);

function simulated({ scenario, traces, mostEvents = Number.POSITIVE_INFINITY }: RunRequest): string {
  shelf ??= new TraceShelf();
  for (const { name, bytes } of traces) shelf.insert(name, bytes);
  const engine = Engine.withTraces(scenario, shelf);
  const durationPs = engine.durationPs();
  for (let events = 0; engine.nowPs() < durationPs && events < mostEvents; ) {
    const slice = Math.min(SLICE, mostEvents - events);
    const nowPs = engine.advance(durationPs, slice);
    events += slice;
    if (nowPs < durationPs) report(nowPs / durationPs);
  }
  const json = engine.summary();
  engine.free();
  return json;
}
