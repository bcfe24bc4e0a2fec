import { useId } from "react";
import { fieldAt } from "../scenario/schema.ts";
import { TextField } from "../ui/TextField.tsx";
import { useEffectiveScenario } from "./context.tsx";
import { Fault, faultOf, useRefusal } from "./Fault.tsx";
import { useDraft } from "./useDraft.ts";

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

/** A name that others refer to. */
export function NameField({ path, value, label, refuse, onCommit }: NameFieldProps) {
  const id = useId();
  const faultId = useId();
  const { title, longest } = fieldAt(path, useEffectiveScenario());
  const take = (typed: string) => {
    const next = typed.trim();
    if (next === value) return null;
    const reason = refuse?.(next) ?? null;
    if (reason === null) onCommit(next);
    return reason;
  };
  const { fault, input } = useDraft({ text: value, take });
  const refusal = useRefusal(path, title);
  const sentence = fault ?? refusal;
  const field = (
    <TextField id={id} maxLength={longest} aria-label={label} {...faultOf(faultId, sentence)} {...input} />
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
      <Fault id={faultId} sentence={sentence} />
    </>
  );
}
