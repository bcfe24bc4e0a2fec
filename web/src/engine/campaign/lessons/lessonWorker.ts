/// <reference lib="webworker" />

import init from "../../../generated/wasm/qoscope_tools_wasm.js";
import { serve } from "../../rpc/serve.ts";
import { LESSON_ANSWERS } from "./lessonAnswers.ts";

/** The worker of one lesson: it reads it, keeps results as they come, tells texts with their numbers, and judges answers. */

serve(init, LESSON_ANSWERS);
