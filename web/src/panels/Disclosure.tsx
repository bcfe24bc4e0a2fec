import type { ReactNode } from "react";
import "./Disclosure.css";

/** Rows that few need, folded away under a line that names them. */
export function Disclosure({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <details className="fold">
      <summary>{title}</summary>
      {children}
    </details>
  );
}
