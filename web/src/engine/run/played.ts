import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Engine, initSync, TraceShelf } from "../../generated/wasm/qoscope_wasm.js";
import { createRunView } from "../../run/recorder.ts";
import type { RunLayout, RunView } from "../../run/types.ts";
import type { Scenario } from "../../scenario/types.ts";
import { Reader } from "./reading.ts";

/** For tests: a scenario run to its end by the engine, as the page has it then. */
export function played(scenario: Scenario): RunView {
  initSync({ module: readFileSync(join(process.cwd(), "web/src/generated/wasm/qoscope_wasm_bg.wasm")) });
  const engine = Engine.withTraces(JSON.stringify(scenario), new TraceShelf());
  const layout = JSON.parse(engine.layout()) as RunLayout;
  const run = createRunView(layout);
  const reader = new Reader(engine, layout);
  const end = engine.durationPs();
  // Link loads are those of the last twentieth.
  for (const ps of [0.95 * end, end]) {
    engine.advance(ps, Number.MAX_SAFE_INTEGER);
    run.update(reader.read("all"));
  }
  engine.free();
  return run;
}
