import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { checkSource } from "../../engine/files/opening.ts";
import { follow } from "../../engine/run/follower.ts";
import { createSession, type Session } from "../../engine/run/session.ts";
import { useRun, useSession } from "../../panels/context.tsx";
import { valueAt } from "../../scenario/schema.ts";
import { createScenarioStore, scenarioOf } from "../../scenario/store.ts";
import type { Scenario } from "../../scenario/types.ts";

/** A run beside the current one. */
export interface Rival {
  readonly scenario: Scenario;
  readonly session: Session;
}

/** What became of the scenarios to compare with. */
export interface Rivals {
  readonly rivals: readonly Rival[];
  /** Why one of them is not there; null where all are, or may still come. */
  readonly refusal: string | null;
}

const NONE: Rivals = { rivals: [], refusal: null };

/**
 * Runs that keep step with the current one, each with an engine of its own, as long as somebody looks at them. All have the
 * seed of the current run: what arrives when is the same in each (common random numbers).
 */
export function useRivals(baselines: readonly object[]): Rivals {
  const lead = useSession();
  const seed = useStore(lead.store, (state) => valueAt(scenarioOf(state), "seed"));
  const missing = useRun((run) => run.missingTraces.length);
  const [found, setFound] = useState(NONE);
  const text = JSON.stringify(baselines);
  // A scenario that waits for a trace of the current run begins once that is there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    const ends: (() => void)[] = [];
    let gone = false;
    const accepted = (JSON.parse(text) as object[]).map((item) => {
      const file = new File([JSON.stringify({ ...item, seed })], "baseline.json", {
        type: "application/json",
      });
      return checkSource({ kind: "file", file });
    });
    void Promise.all(accepted).then((verdicts) => {
      if (gone) return;
      const refused = verdicts.find((verdict) => verdict.kind === "refused");
      const rivals = verdicts.flatMap((verdict) => {
        if (verdict.kind === "refused") return [];
        const session = createSession(createScenarioStore(verdict.scenario), { reducedMotion: false });
        for (const [name, bytes] of lead.traces) session.addTrace(name, bytes);
        session.beginAt(verdict.scenario, lead.run.getState().nowUs);
        ends.push(follow(session, lead), () => session.end());
        return [{ scenario: verdict.scenario, session }];
      });
      setFound({
        rivals,
        refusal: refused?.kind === "refused" ? refused.refusal.sentence : null,
      });
    });
    return () => {
      gone = true;
      for (const end of ends) end();
      setFound(NONE);
    };
  }, [text, seed, lead, missing]);
  return found;
}
