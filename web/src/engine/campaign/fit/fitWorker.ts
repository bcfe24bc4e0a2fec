/// <reference lib="webworker" />

import init, {
  DriveFit,
  fitChoices,
  readDrive,
  readFio,
  readFioLog,
  traceHash,
} from "../../../generated/wasm/qoscope_figures_wasm.js";
import { serve } from "../../rpc/serve.ts";
import { fitAnswers } from "./fitAnswers.ts";

/** The worker of fits: it reads what was measured, holds the fit that is open, and says which runs that needs. */

const open = (base: string, jobs: string, logs: string, choices: string) =>
  new DriveFit(base, jobs, logs, choices);

serve(init, fitAnswers({ readFio, readFioLog, readDrive, traceHash, fitChoices, open }));
