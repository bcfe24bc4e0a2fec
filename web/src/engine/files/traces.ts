import { createStore } from "zustand/vanilla";
import { withEngine } from "../rpc/module.ts";
import type { TraceReply, TraceRequest, TraceSummary } from "./traceProtocol.ts";

/** A trace that has been read, or is being read. */
export type Reading =
  | {
      readonly kind: "reading";
      readonly request: TraceRequest;
      readonly bytes: number;
      readonly lines: number;
    }
  | { readonly kind: "read"; readonly request: TraceRequest; readonly summary: TraceSummary }
  | { readonly kind: "failed"; readonly request: TraceRequest; readonly reason: string };

/** What is known of the traces of this page, by the names of their files. */
export const tracesStore = createStore<{ readonly byName: Readonly<Record<string, Reading>> }>()(() => ({
  byName: {},
}));

const workers = new Map<string, Worker>();

const note = (name: string, reading: Reading): void =>
  tracesStore.setState(({ byName }) => ({ byName: { ...byName, [name]: reading } }));

/**
 * Reads a trace in a worker of its own, which neither blocks the page nor touches the run. What was kept of it goes to
 * `onRead`.
 */
export function readTrace(
  request: TraceRequest,
  onRead: (name: string, bytes: Uint8Array<ArrayBuffer>) => void,
  createWorker: () => Worker = () =>
    withEngine(
      new Worker(new URL("./traceWorker.ts", import.meta.url), { type: "module", name: "qoscope trace" }),
    ),
): void {
  const { name } = request.file;
  workers.get(name)?.terminate();
  const worker = createWorker();
  workers.set(name, worker);
  note(name, { kind: "reading", request, bytes: 0, lines: 0 });
  const settle = (reading: Reading) => {
    worker.terminate();
    workers.delete(name);
    note(name, reading);
  };
  worker.onmessage = ({ data }: MessageEvent<TraceReply>) => {
    switch (data.kind) {
      case "progress":
        note(name, { kind: "reading", request, bytes: data.bytes, lines: data.lines });
        break;
      case "read":
        settle({ kind: "read", request, summary: data.summary });
        onRead(name, data.bytes);
        break;
      case "failed":
        settle({ kind: "failed", request, reason: data.reason });
        break;
    }
  };
  worker.onerror = (event) => {
    event.preventDefault();
    settle({
      kind: "failed",
      request,
      reason: "The engine ran out of memory, or failed, while it read the trace.",
    });
  };
  worker.postMessage(request);
}

/** Calls off the reading of a trace. What was known of one of that name before is forgotten. */
export function cancelTrace(name: string): void {
  workers.get(name)?.terminate();
  workers.delete(name);
  tracesStore.setState(({ byName: { [name]: _, ...byName } }) => ({ byName }));
}
