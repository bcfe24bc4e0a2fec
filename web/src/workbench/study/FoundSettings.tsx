import { useStore } from "zustand";
import { spokenFactor } from "../../charts/study/studyText.ts";
import { studyRuns } from "../../engine/campaign/study/studies.ts";
import { useScenario, useSession } from "../../panels/context.tsx";
import { Button } from "../../ui/Button.tsx";
import { sweepView } from "../state/sweepView.ts";
import { useViews } from "../view/viewContext.tsx";
import { settingDifferences } from "./answer.ts";
import { isOpenOf } from "./useStudy.tsx";
import { searchSettings } from "./varyThis.ts";

/** Beside what theory recommends: what a search found, or the way to one. */
export default function FoundSettings() {
  const session = useSession();
  const views = useViews();
  const scenario = useScenario();
  const { table, answer } = useStore(studyRuns.store);
  const found = answer?.kind === "search" && answer.point !== null && isOpenOf(scenario) ? answer : null;
  if (found?.point == null || table === null) {
    return (
      <p>
        <Button look="link" onClick={() => void searchSettings(session, views)}>
          Find settings that meet my targets
        </Button>
        <span className="note"> by runs, beside the model’s guess</span>
      </p>
    );
  }
  const changed = settingDifferences(table, found.point, null, []).filter(({ isChanged }) => isChanged);
  return (
    <>
      <h3>{found.isMet ? "Found by the search" : "Nearest in the search"}</h3>
      <ul>
        {changed.map(({ factor, now, value }) => (
          <li key={factor.title}>
            {spokenFactor(factor)} {now} → <b>{value}</b>
          </li>
        ))}
        <li className="note">
          Targets hold in {found.held} of {found.of} unseen seeds.
        </li>
      </ul>
      <p>
        <Button look="link" onClick={() => views.show(sweepView)}>
          Show the search
        </Button>
      </p>
    </>
  );
}
