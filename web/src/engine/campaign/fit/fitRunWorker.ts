/// <reference lib="webworker" />

import init, { simulateJob } from "../../../generated/wasm/qoscope_figures_wasm.js";
import { serve } from "../../rpc/serve.ts";
import type { RunApi } from "../runProtocol.ts";

/** A worker of the pool of a fit: simulates one job after the other on a drive. */
serve(init, {
  reportTo() {},
  run({ scenario }) {
    const startedMs = performance.now();
    return { json: simulateJob(scenario), events: 0, ms: performance.now() - startedMs };
  },
} satisfies RunApi);
