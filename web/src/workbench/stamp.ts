import { useMemo } from "react";
import type { ExportStamp } from "../charts/types.ts";
import { useRun, useScenario } from "../panels/context.tsx";
import type { RunLayout } from "../run/types.ts";
import { valueAt } from "../scenario/schema.ts";
import type { Scenario } from "../scenario/types.ts";

/** What an exported figure says about where it comes from. */
export function useStamp(): ExportStamp {
  const scenario = useScenario();
  const layout = useRun((run) => run.view?.layout);
  return useMemo(() => stampOf(scenario, layout), [scenario, layout]);
}

/** As {@link useStamp}, of any run; before it has begun without what the engine says. */
export const stampOf = (scenario: Scenario, layout: RunLayout | undefined): ExportStamp => ({
  scenario: scenario.name,
  hash: layout?.hash ?? "",
  seed: Number(valueAt(scenario, "seed")),
  engineVersion: layout?.version ?? "",
});
