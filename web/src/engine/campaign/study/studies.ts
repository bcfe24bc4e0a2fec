import { callOnce } from "../../rpc/workerClient.ts";
import { connectCampaigns } from "../campaignRunner.ts";
import { StudyRuns } from "./studyRuns.ts";

/** The studies of this page, whichever view is shown. */
export const studyRuns = new StudyRuns();

/** Longest time that the check of a study may take. What is within the limits takes far less. */
const LIMIT_MS = 10_000;

/**
 * Has a study from outside checked on a scenario, both as JSON, by a worker of its own: whatever it holds, it can neither block the page nor touch
 * the study that is open. Rejects with `EngineRefused` where anything is wrong, with everything that is.
 */
export const checkStudy = (study: string, scenario: string, createWorker?: () => Worker): Promise<void> =>
  callOnce(connectCampaigns(createWorker), (api) => api.check("study", [study, scenario, "{}"]), LIMIT_MS);
