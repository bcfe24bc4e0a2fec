import { studyRuns } from "../../engine/campaign/study/studies.ts";
import type { Session } from "../../engine/run/session.ts";
import type { StudyTable } from "../../generated/answers.d.ts";
import type { RunView } from "../../run/types.ts";
import type { FieldSuggestion, StudyDocument, Suggestions } from "../../scenario/study.ts";
import { pathsOf, writtenPath } from "../../scenario/transports.ts";
import type { Scenario } from "../../scenario/types.ts";
import { sweepView } from "../state/sweepView.ts";
import type { Views } from "../view/views.ts";
import { leave } from "./leftBehind.ts";
import {
  addFactor,
  factorsOf,
  firstStudy,
  hasRoom,
  studyOf,
  studyText,
  varyAlone,
  withKind,
} from "./studyEdit.ts";
import { firstWishes, nowOf } from "./targets.ts";

/** Whether a field takes the place of what varies, or varies beside it. */
export type VaryPlace = "alone" | "added";

/** What of a row of the settings can vary: the field itself, or that of each class where a row stands for several. */
export function variable(
  path: string,
  scenario: Scenario,
  { fields }: Suggestions,
): readonly FieldSuggestion[] {
  const whole = fields.filter((field) => field.path === path || field.path === writtenPath(path));
  if (whole.length > 0) return whole;
  const paths = pathsOf(path, scenario);
  return fields.filter((field) => paths.includes(field.path));
}

/** What another field could vary beside; null where there is nothing of the person's own, no room, or it varies already. */
export function besides(written: string, path: string): StudyDocument | null {
  const study = studyOf(written);
  const isFree = study && hasRoom(study) && factorsOf(study).every((factor) => factor.path !== path);
  return study && isFree && factorsOf(study).length > 0 ? study : null;
}

/** The study in which a field varies: alone in a sweep, which keeps seeds and measures, or beside what varies already. */
export function studyVarying(
  written: string,
  field: FieldSuggestion,
  place: VaryPlace,
  suggestions: Suggestions,
): StudyDocument | null {
  const study = studyOf(written);
  if (!study) return firstStudy(suggestions, field);
  if (place === "added") return addFactor(study, field, suggestions);
  return varyAlone(withKind(study, "sweep", suggestions), field, suggestions);
}

/** What can vary; null where the engine does not say it: the view does, and why. */
const suggestionsOf = (scenario: Scenario): Promise<Suggestions | null> =>
  studyRuns.suggestions(scenario).catch(() => null);

/** Shows the view of studies with a field that varies. */
export async function varyThis(
  path: string,
  place: VaryPlace,
  session: Session,
  views: Views,
): Promise<void> {
  const { scenario } = session;
  const suggestions = await suggestionsOf(scenario);
  const [field] = suggestions ? variable(path, scenario, suggestions) : [];
  const { study: written } = views.stateOf(sweepView);
  const study = field && suggestions ? studyVarying(written, field, place, suggestions) : null;
  show(study, written, session, views);
}

/** The search for settings that meet targets: over what varies already, or else over all that theory recommends values for. */
export function searchOver(
  written: string,
  suggestions: Suggestions,
  classes: readonly string[],
  table: StudyTable | null,
  view: RunView | null,
): StudyDocument | null {
  const own = studyOf(written);
  const [first, ...others] = suggestions.fields.filter(({ recommended }) => recommended !== null);
  const begun = own ?? firstStudy(suggestions, first);
  if (!begun) return null;
  const wishes = firstWishes(begun, suggestions, classes, nowOf(begun, own && table, view));
  const search = withKind(begun, "search", suggestions, wishes);
  return own ? search : others.reduce((study, field) => addFactor(study, field, suggestions), search);
}

/** Shows the view of studies with that search. */
export async function searchSettings(session: Session, views: Views): Promise<void> {
  const { scenario } = session;
  const { study: written } = views.stateOf(sweepView);
  const suggestions = await suggestionsOf(scenario);
  const classes = scenario.classes.map(({ name }) => name);
  const { table } = studyRuns.store.getState();
  const { view } = session.run.getState();
  const study = suggestions && searchOver(written, suggestions, classes, table, view);
  show(study, written, session, views);
}

/** Shows the view, with a study where there is one; the one before it is kept where it was asked in another way. */
function show(study: StudyDocument | null, written: string, session: Session, views: Views): void {
  if (study) {
    leave(session, studyOf(written), study);
    views.change(sweepView, { study: studyText(study) });
  }
  views.show(sweepView);
}
