import wasmUrl from "../generated/wasm/qoscope_wasm_bg.wasm?url";

/**
 * The compiled module of the engine: the page fetches and compiles it once, and hands it to every worker, which makes an
 * instance of its own. If a fetch fails, or takes long, the next worker has it fetched anew.
 */

/** How long a fetch may take until it is not waited for with the next worker, in milliseconds. */
const PATIENCE_MS = 15_000;

/** What a worker is handed before it can answer anything: the module, or why there is none. */
interface Handover {
  readonly engine: WebAssembly.Module | Error;
}

interface Fetching {
  readonly module: Promise<WebAssembly.Module>;
  /** Until when it is waited for. */
  untilMs: number;
}

let latest: Fetching | null = null;

/** Compiles while it arrives, where the host says what it is. */
async function fetched(): Promise<WebAssembly.Module> {
  const response = await fetch(wasmUrl);
  const isTyped = response.headers.get("Content-Type") === "application/wasm";
  return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

function engineModule(): Promise<WebAssembly.Module> {
  if (latest && performance.now() < latest.untilMs) return latest.module;
  const module = fetched();
  const fetching = { module, untilMs: performance.now() + PATIENCE_MS };
  latest = fetching;
  module.then(
    () => {
      fetching.untilMs = Number.POSITIVE_INFINITY;
    },
    () => {
      fetching.untilMs = 0;
    },
  );
  return module;
}

/** On the page: hands the module to a new worker, which can be sent its work meanwhile. */
export function withEngine(worker: Worker): Worker {
  const hand = (engine: Handover["engine"]) => worker.postMessage({ engine } satisfies Handover);
  engineModule().then(hand, hand);
  return worker;
}

/** In a worker: what `init`, of the bindings of the module, makes of the one that comes. Nothing else hears of that message. */
export function engineReady<T>(
  init: (from: { module_or_path: WebAssembly.Module }) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const take = (event: MessageEvent<Handover | object>) => {
      if (!("engine" in event.data)) return;
      event.stopImmediatePropagation();
      self.removeEventListener("message", take);
      const { engine } = event.data;
      if (engine instanceof Error) reject(engine);
      else init({ module_or_path: engine }).then(resolve, reject);
    };
    self.addEventListener("message", take);
  });
}
