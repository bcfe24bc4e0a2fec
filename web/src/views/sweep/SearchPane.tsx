import { useState } from "react";
import { numberText } from "../../charts/study/studyText.ts";
import type { Standing, StudyTable } from "../../generated/answers.d.ts";
import { useScenario } from "../../panels/context.tsx";
import type { StudyDocument, Suggestions } from "../../scenario/study.ts";
import { settingsText, standingCounts } from "../../workbench/study/answer.ts";
import {
  measureChoices,
  partsOf,
  preferables,
  type SearchAsk,
  searchOf,
} from "../../workbench/study/targets.ts";
import { useStudy } from "../../workbench/study/useStudy.tsx";
import { Fares, Setting, Verdict } from "./SearchAnswer.tsx";
import { Field, TradeOff } from "./SearchField.tsx";
import "./SearchPane.css";

/** Which settings meet the targets: the field of what is tried as it thins, then the answer with its certainty. */
export function SearchPane() {
  const { study, suggestions, runs } = useStudy();
  const { table, progress, answer, phase } = runs;
  const [looked, setLooked] = useState<number | null>(null);
  const ask = study && searchOf(study);
  if (!study || !ask || !suggestions) return null;
  if (!table || table.points.length === 0 || (phase === "ready" && runs.runs.known === 0)) {
    return (
      <div className="search-pane">
        <NotBegun study={study} ask={ask} suggestions={suggestions} />
      </div>
    );
  }
  const found = answer?.kind === "search" ? answer : null;
  const point = looked !== null && looked < table.points.length ? looked : (found?.point ?? null);
  const candidates = progress?.candidates ?? [];
  return (
    <div className="search-pane">
      {found && <Verdict found={found} />}
      {!found && (
        <SoFar
          table={table}
          candidates={candidates}
          isOver={phase === "cancelled" || phase === "failed"}
          doing={progress?.doing ?? ""}
        />
      )}
      {point !== null && (
        <Setting
          table={table}
          ask={ask}
          point={point}
          found={found}
          onBack={found && point !== found.point ? () => setLooked(null) : null}
        />
      )}
      {found && <Fares study={study} ask={ask} table={table} found={found} />}
      {found && found.tradeOff.length > 1 && ask.prefer.length > 1 && (
        <TradeOff table={table} ask={ask} found={found} point={point} onChoose={setLooked} />
      )}
      <Field {...{ study, ask, table, candidates, found }} onChoose={setLooked} />
    </div>
  );
}

/** What is asked, in a sentence, while nothing has been tried. */
function NotBegun({
  study,
  ask,
  suggestions,
}: {
  readonly study: StudyDocument;
  readonly ask: SearchAsk;
  readonly suggestions: Suggestions;
}) {
  const classes = useScenario().classes.map(({ name }) => name);
  const all = preferables(study, suggestions, classes);
  const choices = measureChoices(study, suggestions);
  const wished = ask.prefer.map(({ of, wanted }) => {
    const title = all.find((item) => item.of === of)?.title ?? of;
    return `${title} as ${wanted === "min" ? "small" : "large"} as possible`;
  });
  return (
    <section className="search-idle">
      <h2>{ask.targets.length === 1 ? "Settings that meet the target" : "Settings that meet the targets"}</h2>
      <ul>
        {ask.targets.map((target) => (
          <li key={target.measure}>
            {targetSaid(target, partsOf(target.measure, choices).choice?.unit ?? null)}
          </li>
        ))}
      </ul>
      {wished.length > 0 && <p>with {wished.join(" and ")}</p>}
      <p className="note">
        Many settings are tried under a few seeds, the better ones under more; the best is then confirmed
        under seeds that it was not chosen by. What was found is kept if you stop.
      </p>
    </section>
  );
}

function targetSaid(target: SearchAsk["targets"][number], unit: string | null): string {
  const bounds = [
    typeof target.atLeast === "number" ? `at least ${numberText(unit, target.atLeast)}` : "",
    typeof target.atMost === "number" ? `at most ${numberText(unit, target.atMost)}` : "",
  ].filter(Boolean);
  return `${target.measure} ${bounds.join(" and ") || "without a bound yet"}`;
}

/** What is known of a search that has no answer, and what it does. */
function SoFar({
  table,
  candidates,
  isOver,
  doing,
}: {
  readonly table: StudyTable;
  readonly candidates: readonly Standing[];
  readonly isOver: boolean;
  readonly doing: string;
}) {
  const counts = standingCounts(table, candidates);
  const left = counts.open + counts.leading;
  return (
    <section className="search-verdict">
      <h2 aria-live="polite">{isOver ? "Called off: no setting is confirmed" : doing || "Beginning"}</h2>
      <p>
        {left === 0
          ? "No setting tried so far meets all targets."
          : `${settingsText(left)} of ${table.points.length} may still be the answer.`}
        {isOver && " What was run is kept: the search goes on from here."}
      </p>
    </section>
  );
}
