import { useId } from "react";
import { TextField } from "../ui/TextField.tsx";

interface NameInputProps {
  readonly label: string;
  readonly value: string;
  readonly onCommit: (name: string) => void;
}

/** A name of something that is drawn: taken with Enter or when the field is left, restored with Esc. */
export function NameInput({ label, value, onCommit }: NameInputProps) {
  const id = useId();
  return (
    <div className="row-main">
      <label className="row-label" htmlFor={id}>
        {label}
      </label>
      <TextField
        id={id}
        defaultValue={value}
        maxLength={40}
        onBlur={(event) => event.target.value !== value && onCommit(event.target.value.trim())}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.value = value;
          if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
        }}
      />
    </div>
  );
}
