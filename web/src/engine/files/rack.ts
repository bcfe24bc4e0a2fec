import { Asking } from "../rpc/asking.ts";
import { withEngine } from "../rpc/module.ts";
import type { RackQuestions } from "./rackProtocol.ts";

/** What writes the settings of scenarios as other tools take them, in a worker of its own; to be ended. */
export const openRack = (): Asking<RackQuestions> =>
  new Asking(
    withEngine(
      new Worker(new URL("./rackWorker.ts", import.meta.url), { type: "module", name: "qoscope rack" }),
      "figures",
    ),
  );
