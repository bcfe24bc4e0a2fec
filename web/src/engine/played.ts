import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Engine, initSync, TraceShelf } from "../generated/wasm/qoscope_wasm.js";
import { createRunView } from "../run/recorder.ts";
import type { RunLayout, RunView } from "../run/types.ts";
import type { Scenario } from "../scenario/types.ts";

/** For tests: a scenario run to its end by the engine, as the page has it then. */
export function played(scenario: Scenario): RunView {
  initSync({ module: readFileSync(join(process.cwd(), "web/src/generated/wasm/qoscope_wasm_bg.wasm")) });
  const engine = Engine.withTraces(JSON.stringify(scenario), new TraceShelf());
  const layout = JSON.parse(engine.layout()) as RunLayout;
  const run = createRunView(layout);
  const end = engine.durationPs();
  // Link loads are those of the last twentieth.
  engine.advance(0.95 * end, Number.MAX_SAFE_INTEGER);
  engine.links();
  engine.advance(end, Number.MAX_SAFE_INTEGER);
  const [seenUs, ...links] = engine.deadlock();
  const ofClasses = (read: (index: number) => Float64Array) => layout.classes.map((_, i) => read(i));
  run.update({
    rows: engine.samples(0),
    flowRows: engine.flowSamples(0),
    deviceRows: engine.deviceSamples(0),
    figures: engine.figures(),
    links: engine.links(),
    devices: engine.devices(),
    stages: engine.stages(),
    latency: ofClasses((i) => engine.latency(i)),
    convergence: JSON.parse(engine.convergence()),
    deadlock: seenUs === undefined ? null : { seenUs, links: Array.from(links) },
    nowUs: end / 1e6,
  });
  engine.free();
  return run;
}
