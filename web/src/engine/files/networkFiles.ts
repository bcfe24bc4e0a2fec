import type { ReadNetwork } from "../../generated/answers.d.ts";
import type { Scenario } from "../../scenario/types.ts";
import { EngineRefused, Unfetched } from "../rpc/errors.ts";
import { withEngine } from "../rpc/module.ts";
import { callOnce, connect } from "../rpc/workerClient.ts";
import type { NetworkApi } from "./networkWorker.ts";

/** Formats of files that a network is written into, by their names in the engine. */
export type NetworkFormat = "edges" | "hpcc";

const networkWorker = () =>
  withEngine(
    new Worker(new URL("./networkWorker.ts", import.meta.url), { type: "module", name: "qoscope network" }),
  );

/** A scenario on the network of a file, and a summary of that network. */
export async function withNetworkOf(
  scenario: Scenario,
  file: File,
  createWorker: () => Worker = networkWorker,
): Promise<Omit<ReadNetwork, "scenario"> & { readonly scenario: Scenario }> {
  const text = await callOnce(connect<NetworkApi>(createWorker()), (api) =>
    api.read(JSON.stringify(scenario), file),
  );
  const found = JSON.parse(text) as ReadNetwork;
  return { scenario: JSON.parse(found.scenario) as Scenario, summary: found.summary };
}

/** The network of a scenario as the text of a file. */
export const networkFile = (
  scenario: Scenario,
  format: NetworkFormat,
  createWorker: () => Worker = networkWorker,
): Promise<string> =>
  callOnce(connect<NetworkApi>(createWorker()), (api) => api.write(JSON.stringify(scenario), format));

/** Why a network was not read or written, as sentences. */
export function reasonsOf(error: unknown): readonly string[] {
  if (error instanceof EngineRefused)
    return error.diagnostics.map(({ path, reason, hint }) => `${path || "scenario"}: ${reason}. ${hint}`);
  if (error instanceof Unfetched) return ["The engine that reads it could not be fetched. Try again."];
  return ["The engine failed while it read the network. Make it smaller."];
}
