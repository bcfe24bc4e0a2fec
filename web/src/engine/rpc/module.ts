import figuresUrl from "../../generated/wasm/qoscope_tools_wasm_bg.wasm?url";
import runsUrl from "../../generated/wasm/qoscope_wasm_bg.wasm?url";

/**
 * The compiled modules of the engine: the page fetches and compiles each once, when a worker first needs it, and hands it to every
 * worker, which makes an instance of its own. If a fetch fails, or takes long, the next worker has it fetched anew.
 */

/** Runs, plans, traces; and what figures and lessons need beside, which the first view does without. */
const URLS = { runs: runsUrl, figures: figuresUrl };
type ModuleName = keyof typeof URLS;

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

const latest = new Map<ModuleName, Fetching>();

/** Compiles while it arrives, where the host says what it is. */
async function fetched(name: ModuleName): Promise<WebAssembly.Module> {
  const response = await fetch(URLS[name]);
  const isTyped = response.headers.get("Content-Type") === "application/wasm";
  return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

function engineModule(name: ModuleName): Promise<WebAssembly.Module> {
  const known = latest.get(name);
  if (known && performance.now() < known.untilMs) return known.module;
  const module = fetched(name);
  const fetching = { module, untilMs: performance.now() + PATIENCE_MS };
  latest.set(name, fetching);
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

/** On the page: hands a module to a new worker, which can be sent its work meanwhile. */
export function withEngine(worker: Worker, name: ModuleName = "runs"): Worker {
  const hand = (engine: Handover["engine"]) => worker.postMessage({ engine } satisfies Handover);
  engineModule(name).then(hand, hand);
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
