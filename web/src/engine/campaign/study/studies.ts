import { withEngine } from "../../rpc/module.ts";
import { callOnce, connect } from "../../rpc/workerClient.ts";
import type { StudyQuestions } from "./studyProtocol.ts";
import { StudyRuns } from "./studyRuns.ts";

const studyWorker = (): Worker =>
  withEngine(
    new Worker(new URL("./studyWorker.ts", import.meta.url), { type: "module", name: "qoscope study" }),
    "figures",
  );

/** The studies of this page, whichever view is shown. */
export const studyRuns = new StudyRuns(studyWorker);

/** Longest time that the check of a study may take. What is within the limits takes far less. */
const LIMIT_MS = 10_000;

/**
 * Has a study from outside checked on a scenario, both as JSON, by a worker of its own: whatever it holds, it can neither block the page nor touch
 * the study that is open. Rejects with `EngineRefused` where anything is wrong, with everything that is.
 */
export async function checkStudy(
  study: string,
  scenario: string,
  createWorker: () => Worker = studyWorker,
): Promise<void> {
  await callOnce(connect<StudyQuestions>(createWorker()), (api) => api.check(study, scenario), LIMIT_MS);
}
