import { withEngine } from "../rpc/module.ts";
import { connect, type WorkerClient } from "../rpc/workerClient.ts";
import type { RackQuestions } from "./rackProtocol.ts";

/** Opens the worker that writes the settings of scenarios for other tools; the caller ends it. */
export const openRack = (): WorkerClient<RackQuestions> =>
  connect(
    withEngine(
      new Worker(new URL("./rackWorker.ts", import.meta.url), { type: "module", name: "qoscope rack" }),
      "figures",
    ),
  );
