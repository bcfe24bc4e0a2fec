import type { Diagnostic, Scenario } from "../../scenario/types.ts";
import { withEngine } from "../rpc/module.ts";

/** Formats of files that a network is written into, by their names in the engine. */
export type NetworkFormat = "edges" | "hpcc";

/** What is asked of the worker: a scenario on the network of a file, or the file of the network of one. */
export type NetworkRequest =
  | { readonly kind: "read"; readonly scenario: string; readonly file: File }
  | { readonly kind: "write"; readonly scenario: string; readonly format: NetworkFormat };

/** What became of it: what the engine made, or what is wrong, as sentences. */
export type NetworkReply =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reasons: readonly string[] };

const UNFETCHED = "The engine that reads it could not be fetched. Try again.";

/** Has the engine do it in a worker of its own, which neither blocks the page nor touches the run. */
function ask(request: NetworkRequest, createWorker: () => Worker): Promise<NetworkReply> {
  return new Promise((resolve) => {
    const worker = createWorker();
    const settle = (reply: NetworkReply) => {
      worker.terminate();
      resolve(reply);
    };
    worker.onmessage = ({ data }: MessageEvent<NetworkReply>) => settle(data);
    worker.onerror = (event) => {
      event.preventDefault();
      // A script that does not come is an error without words.
      const reason = event.message
        ? "The engine failed while it read the network. Make it smaller."
        : UNFETCHED;
      settle({ ok: false, reasons: [reason] });
    };
    worker.postMessage(request);
  });
}

const networkWorker = () =>
  withEngine(
    new Worker(new URL("./networkWorker.ts", import.meta.url), { type: "module", name: "qoscope network" }),
  );

/** A scenario on the network of a file, and what that has; or why there is none. */
export async function withNetworkOf(
  scenario: Scenario,
  file: File,
  createWorker: () => Worker = networkWorker,
): Promise<
  { readonly scenario: Scenario; readonly summary: string } | { readonly reasons: readonly string[] }
> {
  const reply = await ask({ kind: "read", scenario: JSON.stringify(scenario), file }, createWorker);
  if (!reply.ok) return reply;
  const found = JSON.parse(reply.text) as { scenario: string; summary: string };
  return { scenario: JSON.parse(found.scenario) as Scenario, summary: found.summary };
}

/** The network of a scenario as a file, or why it cannot be written. */
export const networkFile = (
  scenario: Scenario,
  format: NetworkFormat,
  createWorker: () => Worker = networkWorker,
): Promise<NetworkReply> => ask({ kind: "write", scenario: JSON.stringify(scenario), format }, createWorker);

/** What the engine threw, as sentences. */
export function reasonsOf(thrown: unknown): string[] {
  if (typeof thrown !== "string") throw thrown;
  return (JSON.parse(thrown) as Diagnostic[]).map(
    ({ path, reason, hint }) => `${path || "scenario"}: ${reason}. ${hint}`,
  );
}
