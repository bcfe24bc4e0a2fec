import type { ComponentProps } from "react";
import { useDisabled } from "./lock.ts";
import "./TextField.css";

/** A field for words. */
export function TextField(props: Omit<ComponentProps<"input">, "className">) {
  const { disabled, ...reason } = useDisabled(props.readOnly ?? false);
  return (
    <input type="text" autoComplete="off" {...props} readOnly={disabled} {...reason} className="text-field" />
  );
}
