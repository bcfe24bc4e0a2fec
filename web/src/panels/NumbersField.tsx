import { useId, useState } from "react";
import { Icon } from "../ui/Icon.tsx";
import { useRun } from "./context.tsx";
import { hoverHint } from "./ParameterRow.tsx";

interface NumbersFieldProps {
  /** Path of the field. */
  readonly path: string;
  readonly title: string;
  /** Groups of numbers: single ones, or pairs. */
  readonly groups: readonly (readonly number[])[];
  /** Numbers in a group. */
  readonly size: number;
  readonly onCommit: (groups: readonly (readonly number[])[]) => void;
}

/** A list of numbers, or of pairs of them, as a text: commas between entries, blanks in them. */
export function NumbersField({ path, title, groups, size, onCommit }: NumbersFieldProps) {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const refusal = useRun((run) => run.diagnostics.find((diagnostic) => diagnostic.path.startsWith(path)));
  const shown = groups.map((group) => group.join(" ")).join(", ");
  const restore = () => {
    setDraft(null);
    setFault(null);
  };
  const commit = () => {
    if (draft === null) return;
    const typed = draft.split(",").map((entry) => entry.trim().split(/\s+/).map(Number));
    const wrong = typed.findIndex((group) => group.length !== size || !group.every(Number.isFinite));
    if (draft.trim() === "" || wrong >= 0) {
      const what = size === 1 ? "a number" : `${size} numbers with a blank between them`;
      setFault(`Entry ${Math.max(0, wrong) + 1} is not ${what}. Write entries between commas.`);
      return;
    }
    restore();
    if (draft.trim() !== shown) onCommit(typed);
  };
  const sentence = fault ?? (refusal ? `${title} ${refusal.reason}. ${refusal.hint}` : null);
  return (
    <div className="row hosts-field" data-path={path}>
      <div className="row-main">
        <label className="row-label" htmlFor={id} {...hoverHint(path)}>
          {title}
        </label>
        <input
          id={id}
          className="text-field"
          value={draft ?? shown}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={sentence !== null}
          aria-describedby={sentence === null ? undefined : `${id}-fault`}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === "Enter") commit();
            if (event.key !== "Escape" || (draft === null && fault === null)) return;
            event.stopPropagation();
            restore();
          }}
        />
      </div>
      {sentence && (
        <p className="diagnostic" id={`${id}-fault`} role="alert">
          <Icon name="warning" size={13} /> {sentence}
        </p>
      )}
    </div>
  );
}
