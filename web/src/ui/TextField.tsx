import type { ComponentProps } from "react";
import "./TextField.css";

/** A field for words. */
export function TextField(props: Omit<ComponentProps<"input">, "className">) {
  return <input type="text" autoComplete="off" {...props} className="text-field" />;
}
