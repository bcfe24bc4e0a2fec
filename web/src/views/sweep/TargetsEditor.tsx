import type { StudyDocument } from "../../scenario/study.ts";

interface TargetsEditorProps {
  readonly study: StudyDocument;
  readonly onChange: (study: StudyDocument) => void;
}

/** Filled by what shows a search. */
export function TargetsEditor(_: TargetsEditorProps) {
  return null;
}
