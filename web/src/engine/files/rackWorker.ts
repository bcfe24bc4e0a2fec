/// <reference lib="webworker" />

import init from "../../generated/wasm/qoscope_figures_wasm.js";
import { answerAll } from "../rpc/answering.ts";
import { RACK_ANSWERS } from "./rackAnswers.ts";

/** A worker that writes what other tools take of a scenario. */

answerAll(init, RACK_ANSWERS);
