import { withEngine } from "../../rpc/module.ts";
import { connect, type WorkerClient } from "../../rpc/workerClient.ts";
import type { RunApi } from "../runProtocol.ts";
import { FitRuns } from "./fitRuns.ts";

const fitWorker = (): Worker =>
  withEngine(
    new Worker(new URL("./fitWorker.ts", import.meta.url), { type: "module", name: "qoscope fit" }),
    "figures",
  );

const fitRunWorker = (): WorkerClient<RunApi> =>
  connect(
    withEngine(
      new Worker(new URL("./fitRunWorker.ts", import.meta.url), { type: "module", name: "qoscope fit run" }),
      "figures",
    ),
  );

/** The fit of this page, whichever view is shown. */
export const fitRuns = new FitRuns(fitWorker, fitRunWorker);
