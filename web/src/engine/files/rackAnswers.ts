import { exportTargets, exportTo, fioWorkloads, report } from "../../generated/wasm/qoscope_tools_wasm.js";
import type { RackQuestions } from "./rackProtocol.ts";

/** What the engine answers of what other tools take. */
export const RACK_ANSWERS: RackQuestions = {
  targets: () => JSON.parse(exportTargets()),
  to: (scenario, target) => JSON.parse(exportTo(scenario, target)),
  jobs: (text, name, scenario) => JSON.parse(fioWorkloads(text, name, scenario)),
  report: (scenario, summary, study) =>
    report(scenario, summary ?? undefined, study ? JSON.stringify(study) : undefined),
};
