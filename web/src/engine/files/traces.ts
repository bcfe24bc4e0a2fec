import { proxy } from "comlink";
import { createStore } from "zustand/vanilla";
import { WorkerFailed } from "../rpc/errors.ts";
import { withEngine } from "../rpc/module.ts";
import { connect, type WorkerClient } from "../rpc/workerClient.ts";
import type { TraceApi, TraceRequest, TraceSummary } from "./traceProtocol.ts";

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

const workers = new Map<string, WorkerClient<TraceApi>>();

const note = (name: string, reading: Reading): void =>
  tracesStore.setState(({ byName }) => ({ byName: { ...byName, [name]: reading } }));

/**
 * Reads a trace in a worker of its own, which neither blocks the page nor touches the run. What was kept of it goes to
 * `onRead`.
 */
export async function readTrace(
  request: TraceRequest,
  onRead: (name: string, bytes: Uint8Array<ArrayBuffer>) => void,
  createWorker: () => Worker = () =>
    withEngine(
      new Worker(new URL("./traceWorker.ts", import.meta.url), { type: "module", name: "qoscope trace" }),
    ),
): Promise<void> {
  const { name } = request.file;
  end(name);
  const worker = connect<TraceApi>(createWorker());
  workers.set(name, worker);
  const isCurrent = () => workers.get(name) === worker;
  const onProgress = (bytes: number, lines: number) => {
    if (isCurrent()) note(name, { kind: "reading", request, bytes, lines });
  };
  onProgress(0, 0);
  try {
    const { summary, bytes } = await worker.api.read(request, proxy(onProgress));
    if (!isCurrent()) return;
    note(name, { kind: "read", request, summary });
    onRead(name, bytes);
  } catch (error) {
    if (isCurrent()) note(name, { kind: "failed", request, reason: reasonOf(error) });
  } finally {
    if (isCurrent()) end(name);
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof WorkerFailed
    ? "The engine ran out of memory, or failed, while it read the trace."
    : (error as Error).message;

function end(name: string): void {
  workers.get(name)?.end(new Error("The reading was cancelled"));
  workers.delete(name);
}

/** Calls off the reading of a trace. What was known of one of that name before is forgotten. */
export function cancelTrace(name: string): void {
  end(name);
  tracesStore.setState(({ byName: { [name]: _, ...byName } }) => ({ byName }));
}
