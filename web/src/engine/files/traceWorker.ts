/// <reference lib="webworker" />

import init, { TraceFile } from "../../generated/wasm/qoscope_wasm.js";
import { engineReady } from "../rpc/module.ts";
import type { TraceReply, TraceRequest, TraceSummary } from "./traceProtocol.ts";
import { unpacked } from "./unpacked.ts";

/** The worker that reads one trace, piece by piece; it is ended with the reading, or to call it off. */

/** Most requests that are kept: 48 MB. */
const MAXIMUM_KEPT = 2_000_000;
const PROGRESS_MS = 100;

const ready = engineReady(init);

const post = (reply: TraceReply, transfer: Transferable[] = []): void =>
  self.postMessage(reply, { transfer });

self.onmessage = async ({ data }: MessageEvent<TraceRequest>) => {
  try {
    await ready;
    await read(data);
  } catch (error) {
    post({ kind: "failed", reason: reasonOf(error) });
  }
};

async function read({ file, format, volume }: TraceRequest): Promise<void> {
  const trace = new TraceFile(format, volume ?? undefined, MAXIMUM_KEPT);
  let bytes = 0;
  let told = performance.now();
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, out) {
      bytes += piece.length;
      out.enqueue(piece);
    },
  });
  const stream = file.stream().pipeThrough(counted);
  const text = (await isPacked(file)) ? unpacked(stream) : stream;
  const reader = text.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    trace.feed(piece.value);
    const now = performance.now();
    if (now - told < PROGRESS_MS) continue;
    told = now;
    post({ kind: "progress", bytes, lines: trace.lines() });
  }
  const summary = JSON.parse(trace.finish()) as TraceSummary;
  const kept = trace.bytes() as Uint8Array<ArrayBuffer>;
  post({ kind: "read", summary, bytes: kept }, [kept.buffer]);
}

async function isPacked(file: File): Promise<boolean> {
  const [one, other] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return one === 0x1f && other === 0x8b;
}

/** The engine throws sentences, and so does what unpacks; a stream that cannot be unpacked, errors. */
const reasonOf = (error: unknown): string =>
  typeof error === "string"
    ? error
    : `The file could not be read: ${error instanceof Error ? error.message : error}.`;
