import { wrap } from "comlink";
import { TimeLimitExceeded, Unfetched, WorkerFailed } from "./errors.ts";

/** The functions of a worker as the page calls them. */
export type Calls<Api> = {
  readonly [K in keyof Api]: Api[K] extends (...of: infer P) => infer R
    ? (...of: P) => Promise<Awaited<R>>
    : never;
};

/** The page's end of a worker whose functions it calls; `serve` is the other end. */
export interface WorkerClient<Api> {
  readonly api: Calls<Api>;
  /** Ends the worker. Pending and later calls reject with this error. */
  end(error: Error): void;
}

/** Calls the functions of a worker by Comlink. If its script cannot be fetched, or it fails, all pending calls reject. */
export function connect<Api>(worker: Worker): WorkerClient<Api> {
  const remote = wrap<Record<PropertyKey, (...of: readonly unknown[]) => unknown>>(worker);
  const pending = new Set<(error: Error) => void>();
  let over: Error | null = null;
  const end = (error: Error) => {
    over ??= error;
    worker.terminate();
    for (const reject of pending) reject(over);
    pending.clear();
  };
  worker.onerror = (event) => {
    event.preventDefault();
    // A script that cannot be fetched is an error without a message.
    end(event.message ? new WorkerFailed(event.message) : new Unfetched());
  };
  const call =
    (name: PropertyKey) =>
    (...of: readonly unknown[]) =>
      new Promise<unknown>((resolve, reject) => {
        if (over) {
          reject(over);
          return;
        }
        pending.add(reject);
        const answer = remote[name]?.(...of) as Promise<unknown>;
        answer.then(resolve, reject).finally(() => pending.delete(reject));
      });
  return { api: new Proxy({}, { get: (_, name) => call(name) }) as Calls<Api>, end };
}

/** Calls a worker that ends with the answer, or when the time limit is exceeded. */
export async function callOnce<Api, Answer>(
  { api, end }: WorkerClient<Api>,
  call: (api: Calls<Api>) => Promise<Answer>,
  limitMs: number | null = null,
): Promise<Answer> {
  const exceeded = () =>
    end(new TimeLimitExceeded(`Checking it took more than ${(limitMs ?? 0) / 1000} s. Make it smaller.`));
  const timer = limitMs === null ? undefined : setTimeout(exceeded, limitMs);
  try {
    return await call(api);
  } finally {
    clearTimeout(timer);
    end(new Error("The worker has answered"));
  }
}
