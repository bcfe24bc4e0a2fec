import { type Arbitration, arbitration } from "./catalogue.ts";
import { valueAt } from "./schema.ts";
import type { Scenario } from "./types.ts";

export const ARBITRATION = "storage.nvme.arbitration";

/** What the arbitration of a scenario looks at. */
export const arbitrationOf = (scenario: Scenario): Arbitration => arbitration(valueAt(scenario, ARBITRATION));
