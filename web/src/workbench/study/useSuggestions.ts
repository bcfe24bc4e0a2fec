import { useEffect, useState } from "react";
import { studyRuns } from "../../engine/campaign/study/studies.ts";
import type { Suggestions } from "../../scenario/study.ts";
import type { Scenario } from "../../scenario/types.ts";

/** What can vary in a scenario, as the engine says once it has been asked. */
export function useSuggestions(scenario: Scenario): {
  readonly suggestions: Suggestions | null;
  readonly fault: string | null;
} {
  const [said, setSaid] = useState<{ of: Scenario; suggestions: Suggestions | null; fault: string | null }>();
  useEffect(() => {
    let gone = false;
    const say = (suggestions: Suggestions | null, fault: string | null) => {
      if (!gone) setSaid({ of: scenario, suggestions, fault });
    };
    studyRuns.suggestions(scenario).then(
      (suggestions) => say(suggestions, null),
      (error) => say(null, `The engine cannot say what may vary here: ${String(error)}`),
    );
    return () => {
      gone = true;
    };
  }, [scenario]);
  return said?.of === scenario ? said : { suggestions: null, fault: null };
}
