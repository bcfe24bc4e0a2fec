import type { StudyTable } from "../../generated/answers.d.ts";
import { settingsText } from "../../workbench/study/answer.ts";
import "./SearchPane.css";

/** Settings that the engine refuses, by its sentence. */
export function Refused({ table }: { readonly table: StudyTable }) {
  const refused = table.points.flatMap(({ refused: sentence }) => sentence ?? []);
  const sentences = [...new Set(refused)];
  if (sentences.length === 0) return null;
  return (
    <details className="search-refused">
      <summary>
        {settingsText(refused.length)} of {table.points.length} {refused.length === 1 ? "is" : "are"} refused
      </summary>
      <ul>
        {sentences.slice(0, SHOWN).map((sentence) => (
          <li key={sentence}>
            {sentence} <span className="note">×{refused.filter((other) => other === sentence).length}</span>
          </li>
        ))}
        {sentences.length > SHOWN && <li className="note">and {sentences.length - SHOWN} other reasons</li>}
      </ul>
    </details>
  );
}

/** Reasons that are listed. */
const SHOWN = 8;
