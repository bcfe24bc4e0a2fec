/// <reference lib="webworker" />

import init, { networkFile, withNetwork } from "../../generated/wasm/qoscope_wasm.js";
import { DOCUMENT_LIMIT } from "../../scenario/codec.ts";
import { engineReady } from "../rpc/module.ts";
import { type NetworkReply, type NetworkRequest, reasonsOf } from "./networkFiles.ts";

/** The worker that reads one file of a network, or writes one; it is ended with that. */

const ready = engineReady(init);

self.onmessage = async ({ data }: MessageEvent<NetworkRequest>) => {
  try {
    self.postMessage(await answer(data));
  } catch (error) {
    // A rejection would be lost here; the page hears of errors only.
    setTimeout(() => {
      throw error;
    });
  }
};

async function answer(request: NetworkRequest): Promise<NetworkReply> {
  await ready;
  // Of a file that is longer than anything it reads the engine need not see the end.
  const text = request.kind === "read" ? await request.file.slice(0, DOCUMENT_LIMIT).text() : "";
  try {
    const made =
      request.kind === "read"
        ? withNetwork(request.scenario, text)
        : networkFile(request.scenario, request.format);
    return { ok: true, text: made };
  } catch (thrown) {
    return { ok: false, reasons: reasonsOf(thrown) };
  }
}
