import { sameButTimeline } from "../../scenario/timeline.ts";
import type { Scenario } from "../../scenario/types.ts";
import { withEngine } from "../rpc/module.ts";
import { Watchdog } from "../rpc/watchdog.ts";
import type { Document, LoadRequest, Reply, Request, RunRequest } from "./protocol.ts";

/** Memory of WebAssembly grows and never shrinks: a worker with more is worth the tenth of a second that another one takes. */
const LARGE_BYTES = 128e6;

/** A run that is asked for. */
export interface Load extends Omit<LoadRequest, "kind" | "document"> {
  readonly scenario: Scenario;
}

/**
 * The page's end of the simulating worker. At most one load is on its way; of those asked for meanwhile only the latest
 * is kept, and of a scenario that the worker has but for its timeline only that is sent. A worker whose engine trapped is ended and
 * replaced at the next load, and so is one that has stopped answering.
 */
export class EngineClient {
  private worker: Worker | null = null;
  private loading: Load | null = null;
  private waiting: Load | null = null;
  /** The scenario that the worker has once it has read its messages, but for its timeline; null where that is not known. */
  private held: Scenario | null = null;
  private memoryBytes = 0;
  /** Every worker is given all of them. */
  readonly traces = new Map<string, Uint8Array<ArrayBuffer>>();
  private readonly watchdog = new Watchdog(
    () => this.worker?.postMessage({ kind: "ping" } satisfies Request),
    (silent) => this.onReply({ kind: "silence", silent }),
  );

  constructor(
    private readonly onReply: (reply: Reply) => void,
    private readonly createWorker: () => Worker = () =>
      withEngine(
        new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "qoscope engine" }),
      ),
  ) {}

  hasTrace = (name: string): boolean => this.traces.has(name);

  /** Keeps a trace for the runs to come, in the place of any of that name. */
  addTrace(name: string, bytes: Uint8Array<ArrayBuffer>): void {
    this.traces.set(name, bytes);
    // The worker makes another engine for it.
    this.held = null;
    this.worker?.postMessage({ kind: "trace", name, bytes } satisfies Request);
  }

  load(load: Load): void {
    if (this.watchdog.silent) this.end();
    if (this.loading) {
      this.waiting = load;
      return;
    }
    this.loading = load;
    const { scenario, ...wanted } = load;
    this.post({ kind: "load", ...wanted, document: this.documentOf(scenario) });
    this.held = scenario;
  }

  send(request: Exclude<RunRequest, LoadRequest>): void {
    if (!this.worker) return;
    if (request.kind === "annotate") this.held = null;
    this.post(request);
  }

  /** Gives back the memory of runs that are over, where that is much: the next load begins with a fresh worker. */
  release(): void {
    if (this.memoryBytes > LARGE_BYTES) this.end();
  }

  /** Ends the worker, whatever it is doing. */
  end(): void {
    this.watchdog.stop();
    this.worker?.terminate();
    this.worker = null;
    this.memoryBytes = 0;
    this.loading = null;
    this.waiting = null;
    this.held = null;
  }

  private documentOf(scenario: Scenario): Document {
    return this.held && sameButTimeline(this.held, scenario)
      ? { of: "timeline", json: JSON.stringify(scenario.timeline ?? []) }
      : { of: "scenario", json: JSON.stringify(scenario) };
  }

  private post(request: RunRequest): void {
    this.worker ??= this.start();
    this.worker.postMessage(request);
  }

  private start(): Worker {
    const worker = this.createWorker();
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      if (worker === this.worker) this.take(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.worker) this.take(this.failure(event.message));
    };
    for (const [name, bytes] of this.traces) {
      worker.postMessage({ kind: "trace", name, bytes } satisfies Request);
    }
    this.watchdog.start();
    return worker;
  }

  private take(reply: Reply): void {
    this.watchdog.heard();
    if (reply.kind === "pong") {
      this.memoryBytes = reply.memoryBytes;
      return;
    }
    if (reply.kind === "trapped") this.end();
    this.onReply(reply);
    const answered = reply.kind === "loaded" || (reply.kind === "diagnostics" && reply.of === "load");
    if (!answered || reply.generation !== this.loading?.generation) return;
    if (reply.kind !== "loaded") this.held = null;
    this.loading = null;
    const next = this.waiting;
    this.waiting = null;
    if (next) this.load(next);
  }

  /** An error that the worker did not report itself. It does not tell where the run stood. */
  private failure(message: string | undefined): Reply {
    return {
      kind: "trapped",
      generation: this.loading?.generation ?? 0,
      nowUs: null,
      message: message || "the worker could not be started",
      outOfMemory: false,
      // A script that does not come is an error without words.
      unfetched: !message,
      memoryBytes: this.memoryBytes,
    };
  }
}
