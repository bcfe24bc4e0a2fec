import type { Session } from "../../engine/session.ts";
import { DOCUMENT_LIMIT } from "../../scenario/codec.ts";
import type { StudyDocument, StudyKind } from "../../scenario/study.ts";
import type { Views } from "../views.ts";
import { studyOf, studyText } from "./studyEdit.ts";
import { sweepView } from "./sweepView.ts";

/** The studies that come with the page. */
export const STUDIES: readonly StudyDocument[] = Object.values(
  import.meta.glob<StudyDocument>("../../../../scenarios/studies/*.json", { eager: true, import: "default" }),
);

export const studiesOfKind = (kind: StudyKind): readonly StudyDocument[] =>
  STUDIES.filter(({ ask }) => ask.kind === kind);

/** Opens a study with the scenario that it names, or has; without one it is of the scenario that is open. */
export async function openStudy(study: StudyDocument, session: Session, views: Views): Promise<void> {
  const state = { study: studyText(study) };
  const { scenario } = study;
  if (scenario === undefined) {
    views.open(sweepView, state);
    return;
  }
  const { SCENARIOS } = await import("../../scenario/presets.ts");
  const whole = typeof scenario === "string" ? SCENARIOS[scenario] : scenario;
  // One that the page does not have is refused as any other file is.
  const file = new File([JSON.stringify(whole ?? scenario)], `${study.title}.json`, {
    type: "application/json",
  });
  await session.open({ kind: "file", file }, () => {
    views.open(sweepView, state);
    return null;
  });
}

/** The study that a file holds; null where it holds something else, or cannot be read. */
export async function studyIn(file: Blob): Promise<StudyDocument | null> {
  return file.size > DOCUMENT_LIMIT ? null : studyOf(await file.text().catch(() => ""));
}
