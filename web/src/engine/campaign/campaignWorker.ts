/// <reference lib="webworker" />

import init, * as engine from "../../generated/wasm/qoscope_tools_wasm.js";
import { serve } from "../rpc/serve.ts";
import { campaignApi } from "./campaignApi.ts";
import { lockClaims } from "./claims.ts";
import { browserResults } from "./resultsStore.ts";

/** The worker of a campaign. */
serve(init, campaignApi(engine, browserResults(), lockClaims()));
