import type { LoadRequest, Reply, Request } from "./protocol.ts";

/**
 * The page's end of the simulating worker. At most one load is on its way; of those asked for meanwhile only the latest
 * is kept. A worker whose engine trapped is ended and replaced at the next load.
 */
export class EngineClient {
  private worker: Worker | null = null;
  private loading = 0;
  private waiting: LoadRequest | null = null;

  constructor(
    private readonly onReply: (reply: Reply) => void,
    private readonly createWorker: () => Worker = () =>
      new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "qoscope engine" }),
  ) {}

  load(request: LoadRequest): void {
    if (this.loading > 0) {
      this.waiting = request;
      return;
    }
    this.loading = request.generation;
    this.post(request);
  }

  send(request: Exclude<Request, LoadRequest>): void {
    if (this.worker) this.post(request);
  }

  /** Ends the worker, whatever it is doing. */
  end(): void {
    this.worker?.terminate();
    this.worker = null;
    this.loading = 0;
    this.waiting = null;
  }

  private post(request: Request): void {
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
      if (worker === this.worker) this.take(trapOf(event.message, this.loading));
    };
    return worker;
  }

  private take(reply: Reply): void {
    if (reply.kind === "trapped") this.end();
    this.onReply(reply);
    const answered = reply.kind === "loaded" || (reply.kind === "faults" && reply.of === "load");
    if (!answered || reply.generation !== this.loading) return;
    this.loading = 0;
    const next = this.waiting;
    this.waiting = null;
    if (next) this.load(next);
  }
}

function trapOf(message: string | undefined, generation: number): Reply {
  const text = message || "the worker could not be started";
  return { kind: "trapped", generation, nowUs: 0, message: text, outOfMemory: false, memoryBytes: 0 };
}
