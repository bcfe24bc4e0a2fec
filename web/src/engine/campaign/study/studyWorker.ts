/// <reference lib="webworker" />

import init, { kept, Study, suggest, traceHash } from "../../../generated/wasm/qoscope_figures_wasm.js";
import { serve } from "../../rpc/serve.ts";
import { lockClaims } from "./claims.ts";
import { browserResults } from "./resultsStore.ts";
import { studyAnswers } from "./studyAnswers.ts";

/** The worker of studies: it holds the one that is open, says which runs it needs, and keeps results for this and all other studies. */

const open = (study: string, scenario: string | null, traces: string) => new Study(study, scenario, traces);

serve(init, studyAnswers({ open, suggest, traceHash, kept }, browserResults(), lockClaims()));
