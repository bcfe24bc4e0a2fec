import { useCallback, useEffect, useState } from "react";
import { openRack } from "../../../engine/files/rack.ts";
import type { RackOutcome, RackQuestions, RackTarget } from "../../../engine/files/rackProtocol.ts";
import { EngineRefused } from "../../../engine/rpc/errors.ts";
import type { WorkerClient } from "../../../engine/rpc/workerClient.ts";
import type { Scenario } from "../../../scenario/types.ts";

/** What all targets take of a scenario, as far as it is written. */
export interface Rack {
  readonly targets: readonly RackTarget[];
  readonly outcomes: Readonly<Record<string, RackOutcome>>;
  /** Why there is no more of it; null while there may be. */
  readonly failure: string | null;
  /** Has it written anew. */
  readonly retry: () => void;
}

const NOTHING: Omit<Rack, "retry"> = { targets: [], outcomes: {}, failure: null };

/** Has the engine write what a scenario is to every target, one after another, while the component is there. */
export function useRack(scenario: Scenario): Rack {
  const [rack, setRack] = useState(NOTHING);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt has it written anew
  useEffect(() => {
    setRack(NOTHING);
    const asking = openRack();
    let over = false;
    const tell = (part: Partial<typeof NOTHING>) => !over && setRack((before) => ({ ...before, ...part }));
    writeAll(asking, JSON.stringify(scenario), tell).catch((error: Error) =>
      tell({ failure: error.message }),
    );
    return () => {
      over = true;
      asking.end(new Error("it is no longer shown"));
    };
  }, [scenario, attempt]);
  return { ...rack, retry: useCallback(() => setAttempt((last) => last + 1), []) };
}

async function writeAll(
  asking: WorkerClient<RackQuestions>,
  scenario: string,
  tell: (part: Partial<typeof NOTHING>) => void,
): Promise<void> {
  const targets = await asking.api.targets();
  tell({ targets });
  let outcomes: Rack["outcomes"] = {};
  for (const { id } of targets) {
    const outcome = await asking.api.to(scenario, id).catch((error: unknown): RackOutcome => {
      if (!(error instanceof EngineRefused)) throw error;
      return { refused: error.diagnostics };
    });
    outcomes = { ...outcomes, [id]: outcome };
    tell({ outcomes });
  }
}
