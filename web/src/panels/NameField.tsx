import { useId, useState } from "react";
import { fieldAt } from "../scenario/schema.ts";
import { Icon } from "../ui/Icon.tsx";
import { TextField } from "../ui/TextField.tsx";
import { useEffectiveScenario, useRun } from "./context.tsx";

interface NameFieldProps {
  /** Path of the field. */
  readonly path: string;
  readonly value: string;
  /** Instead of the visible label, where the field stands in a row with others. */
  readonly label?: string;
  /** Why a name cannot be taken, before the engine is asked; null where it can. */
  readonly refuse?: (name: string) => string | null;
  readonly onCommit: (name: string) => void;
}

/** A name that others refer to: taken as a whole, with Enter or when the field is left. What is refused stays to be mended. */
export function NameField({ path, value, label, refuse, onCommit }: NameFieldProps) {
  const shown = useEffectiveScenario();
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const refusal = useRun((run) => run.diagnostics.find((diagnostic) => diagnostic.path === path));
  const { title, longest } = fieldAt(path, shown);
  const restore = () => {
    setDraft(null);
    setWrong(null);
  };
  const commit = () => {
    const next = (draft ?? value).trim();
    const reason = next === value ? null : (refuse?.(next) ?? null);
    if (reason !== null) {
      setWrong(reason);
      return;
    }
    restore();
    if (next !== value) onCommit(next);
  };
  const sentence = wrong ?? (refusal ? `${title} ${refusal.reason}. ${refusal.hint}` : null);
  const field = (
    <TextField
      id={id}
      value={draft ?? value}
      maxLength={longest}
      aria-label={label}
      aria-invalid={sentence !== null}
      aria-describedby={sentence === null ? undefined : `${id}-fault`}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
        if (event.key !== "Escape" || draft === null) return;
        event.stopPropagation();
        restore();
      }}
    />
  );
  return (
    <>
      {label === undefined ? (
        <label className="row-main" htmlFor={id}>
          <span className="row-label">Name</span>
          {field}
        </label>
      ) : (
        field
      )}
      {sentence && (
        <p className="diagnostic" id={`${id}-fault`} role="alert">
          <Icon name="warning" size={13} /> {sentence}
        </p>
      )}
    </>
  );
}
