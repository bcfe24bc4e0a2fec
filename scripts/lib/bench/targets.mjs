import { prepareChromium, preparePackages, prepareWasm } from "../prepare.mjs";
import { buildNative } from "../rust.mjs";
import { chromium } from "./chromium.mjs";
import { native } from "./native.mjs";
import { node } from "./node.mjs";

/**
 * One run. Wall time is that of the simulation alone, without reading and building the scenario. CPU time is that of
 * the process (in Chromium: of the main thread of the page) during the run, or the wall time where that is less: the
 * simulation is one thread, so what was spent beyond it went to starting up, compiling and collecting.
 *
 * @typedef {object} Sample
 * @property {number} packetHops data and acknowledgement packets carried over one link
 * @property {number} requests requests done
 * @property {number} wallSeconds
 * @property {number} cpuSeconds
 * @property {number | null} peakMemoryMB of the whole process, null where the system does not tell
 */

/**
 * Where a scenario can run.
 *
 * @type {Record<string, { prepare: () => Promise<unknown>, measure: (file: string, repeat: number) => Promise<Sample[]> }>}
 */
export const targets = {
  native: { prepare: buildNative, measure: native },
  node: { prepare: prepareWasm, measure: node },
  chromium: {
    async prepare() {
      await preparePackages();
      await prepareWasm();
      await prepareChromium();
    },
    measure: chromium,
  },
};
