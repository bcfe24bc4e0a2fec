/// <reference lib="webworker" />

import init from "../../generated/wasm/qoscope_tools_wasm.js";
import { serve } from "../rpc/serve.ts";
import { RACK_ANSWERS } from "./rackAnswers.ts";

/** A worker that writes what other tools take of a scenario. */

serve(init, RACK_ANSWERS);
