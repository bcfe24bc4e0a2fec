import type { Session } from "../../engine/run/session.ts";
import { originOf } from "../../scenario/store.ts";
import type { StudyDocument, StudyKind } from "../../scenario/study.ts";
import type { Scenario } from "../../scenario/types.ts";

/** What was asked in each way of the scenario that is open, as it was left when it was asked in another way. */
interface LeftBehind {
  readonly origin: Scenario;
  readonly studies: Map<StudyKind, StudyDocument>;
}

const left = new WeakMap<Session, LeftBehind>();

function studiesOf(session: Session): Map<StudyKind, StudyDocument> {
  const origin = originOf(session.store.getState());
  const known = left.get(session);
  if (known?.origin === origin) return known.studies;
  const studies = new Map<StudyKind, StudyDocument>();
  left.set(session, { origin, studies });
  return studies;
}

/** Keeps a study where another kind takes its place. */
export function leave(session: Session, study: StudyDocument | null, next: StudyDocument): void {
  if (study && study.ask.kind !== next.ask.kind) studiesOf(session).set(study.ask.kind, study);
}

/** A study with what it varied and asked when it was last of its kind, over the seeds and measures of now. */
export function comeBack(session: Session, study: StudyDocument): StudyDocument {
  const was = studiesOf(session).get(study.ask.kind);
  if (!was) return study;
  const missing = was.measures.filter(({ title }) => study.measures.every((own) => own.title !== title));
  const { title, vary = [], ask } = was;
  return { ...study, title, vary, ask, measures: [...study.measures, ...missing] };
}
