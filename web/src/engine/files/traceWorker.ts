/// <reference lib="webworker" />

import { transfer } from "comlink";
import init, { TraceFile } from "../../generated/wasm/qoscope_wasm.js";
import { serve } from "../rpc/serve.ts";
import type { TraceApi, TraceRequest, TraceSummary } from "./traceProtocol.ts";
import { unpacked } from "./unpacked.ts";

/** The worker that reads one trace, piece by piece; it is ended with the reading, or to call it off. */

/** Most requests that are kept: 48 MB. */
const MAXIMUM_KEPT = 2_000_000;
const PROGRESS_MS = 100;

const traceApi: TraceApi = {
  async read(request, onProgress) {
    try {
      return await read(request, onProgress);
    } catch (error) {
      throw new Error(reasonOf(error));
    }
  },
};

serve(init, traceApi);

async function read(
  { file, format, volume }: TraceRequest,
  onProgress: (bytes: number, lines: number) => void,
) {
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
    onProgress(bytes, trace.lines());
  }
  const summary = JSON.parse(trace.finish()) as TraceSummary;
  const kept = trace.bytes() as Uint8Array<ArrayBuffer>;
  return transfer({ summary, bytes: kept }, [kept.buffer]);
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
