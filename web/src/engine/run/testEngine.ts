import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ScenarioExplanation } from "../../generated/answers.d.ts";
import { explain, initSync } from "../../generated/wasm/qoscope_wasm.js";
import { beyondDocument } from "../../scenario/explanation.ts";
import type { Scenario } from "../../scenario/types.ts";

/** For tests: what the engine says of a scenario, as its worker sends it. */
export function engineSays(scenario: Scenario): ScenarioExplanation {
  initSync({ module: readFileSync(join(process.cwd(), "web/src/generated/wasm/qoscope_wasm_bg.wasm")) });
  return beyondDocument(JSON.parse(explain(JSON.stringify(scenario))) as ScenarioExplanation);
}
