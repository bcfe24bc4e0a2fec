import { Worker } from "node:worker_threads";

/** @typedef {import("./examine.mjs").Failure} Failure */
/** @typedef {import("./examine.mjs").Expected} Expected */

/** After this many documents a new thread is begun: the memory of a module never shrinks. */
const documents = 500;
/** Longest time for an answer. */
const patienceMs = 60_000;

/** Opens a comparison with the WASM build, in a thread that may break down without harm. */
export function openComparison() {
  /** @type {Worker | undefined} */
  let worker;
  let done = 0;

  const close = async () => {
    await worker?.terminate();
    worker = undefined;
    done = 0;
  };

  /**
   * What the WASM build does otherwise than expected.
   *
   * @param {Expected} expected
   * @returns {Promise<Failure[]>}
   */
  async function compare(expected) {
    if (done >= documents) await close();
    done += 1;
    worker ??= new Worker(new URL("wasm-thread.mjs", import.meta.url));
    const thread = worker;
    const { failures, broken } = await new Promise((answer) => {
      const failed = (/** @type {string} */ rule, /** @type {unknown} */ found) =>
        answer({ failures: [{ rule, found: String(found) }], broken: true });
      const timer = setTimeout(() => failed("WASM: no answer", `in ${patienceMs / 1000} s`), patienceMs);
      thread.removeAllListeners();
      thread.once("error", (error) => failed("WASM: thread ended", error));
      thread.once("message", (message) => answer(message));
      thread.postMessage(expected);
      thread.once("message", () => clearTimeout(timer));
      thread.once("error", () => clearTimeout(timer));
    });
    if (broken) await close();
    return failures;
  }

  return { compare, close };
}
