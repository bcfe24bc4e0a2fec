import type { StudyDocument, StudyKind } from "../../scenario/study.ts";

/** The studies that come with the page. */
const STUDIES: readonly StudyDocument[] = Object.values(
  import.meta.glob<StudyDocument>("../../../../scenarios/studies/*.json", { eager: true, import: "default" }),
);

export const studiesOfKind = (kind: StudyKind): readonly StudyDocument[] =>
  STUDIES.filter(({ ask }) => ask.kind === kind);
