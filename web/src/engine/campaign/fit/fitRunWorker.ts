/// <reference lib="webworker" />

import init, { simulateJob } from "../../../generated/wasm/qoscope_figures_wasm.js";
import { engineReady } from "../../rpc/module.ts";
import { sentenceOf } from "../../rpc/thrown.ts";
import type { RunReply, RunRequest } from "../runProtocol.ts";

/** A worker of the pool of a fit: simulates one job after the other on a drive, and hands over what each came to. */

const ready = engineReady(init);

const post = (reply: RunReply): void => self.postMessage(reply);

self.onmessage = async ({ data }: MessageEvent<RunRequest>) => {
  try {
    await ready;
    const startedMs = performance.now();
    const json = simulateJob(data.scenario);
    post({ kind: "done", json, events: 0, ms: performance.now() - startedMs });
  } catch (error) {
    post({ kind: "failed", sentence: sentenceOf(error) });
  }
};
