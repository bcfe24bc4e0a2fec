import type { ComponentProps } from "react";
import { useInert } from "./lock.ts";
import "./TextField.css";

/** A field for words. */
export function TextField(props: Omit<ComponentProps<"input">, "className">) {
  const { inert, ...reason } = useInert(props.readOnly ?? false);
  return (
    <input type="text" autoComplete="off" {...props} readOnly={inert} {...reason} className="text-field" />
  );
}
