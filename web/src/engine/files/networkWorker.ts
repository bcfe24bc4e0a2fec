/// <reference lib="webworker" />

import init, { networkFile, withNetwork } from "../../generated/wasm/qoscope_wasm.js";
import { DOCUMENT_LIMIT } from "../../scenario/codec.ts";
import { serve } from "../rpc/serve.ts";

/** The worker that reads or writes one file of a network. Scenarios are JSON. */
const networkApi = {
  /** The engine reads at most `DOCUMENT_LIMIT` bytes of a file. */
  read: async (scenario: string, file: File) =>
    withNetwork(scenario, await file.slice(0, DOCUMENT_LIMIT).text()),
  write: (scenario: string, format: string) => networkFile(scenario, format),
};

export type NetworkApi = typeof networkApi;

serve(init, networkApi);
