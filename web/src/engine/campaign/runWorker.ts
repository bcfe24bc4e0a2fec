/// <reference lib="webworker" />

import init, { Engine, TraceShelf } from "../../generated/wasm/qoscope_wasm.js";
import { serve } from "../rpc/serve.ts";
import type { RunApi, RunRequest, RunResult } from "./runProtocol.ts";

/** A worker of the pool: simulates one scenario after the other to its end, as fast as it can, and hands over summaries. */

/** Events between two reports of progress. */
const SLICE = 2_000_000;

let shelf: TraceShelf | null = null;
let report: (part: number) => void = () => {};

serve(init, {
  reportTo(onPart) {
    report = onPart;
  },
  run,
} satisfies RunApi);

function run(request: RunRequest): RunResult {
  const { scenario, traces, mostEvents = Number.POSITIVE_INFINITY, detail } = request;
  const startedMs = performance.now();
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
  const json = detail === "tails" ? engine.summaryWithTails() : engine.summary();
  const simulatedUs = engine.nowPs() / 1e6;
  engine.free();
  const { events } = (JSON.parse(json) as { engine: { events: number } }).engine;
  return { json, events, simulatedUs, ms: performance.now() - startedMs };
}
