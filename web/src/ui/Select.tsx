import type { ComponentProps, ReactNode } from "react";
import { useDisabled } from "./lock.ts";
import "./Select.css";

interface SelectProps
  extends Omit<ComponentProps<"select">, "value" | "onChange" | "children" | "className"> {
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly title: ReactNode }[];
  readonly onChange: (value: string) => void;
  /** `plain`: without the edges of a field, where it stands among figures. */
  readonly look?: "field" | "plain";
  /** Kept visible, and reached by the keyboard, but without effect. */
  readonly disabled?: boolean;
}

/**
 * One of more than four choices. The browser's own: on a phone it opens the list that people know from there, and
 * sixteen classes with one each cost no more than their text.
 */
export function Select({
  value,
  options,
  onChange,
  look = "field",
  disabled: ineffective = false,
  ...rest
}: SelectProps) {
  const { disabled, ...reason } = useDisabled(ineffective);
  return (
    <span className={`select-${look}`}>
      <select
        value={value}
        aria-disabled={disabled}
        onChange={(event) => {
          if (!disabled) onChange(event.target.value);
        }}
        {...rest}
        {...reason}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
    </span>
  );
}
