import { withEngine } from "./module.ts";
import { StudyRuns } from "./studyRuns.ts";

/** The studies of this page, whichever view is shown. */
export const studyRuns = new StudyRuns(() =>
  withEngine(
    new Worker(new URL("./studyWorker.ts", import.meta.url), { type: "module", name: "qoscope study" }),
    "figures",
  ),
);
