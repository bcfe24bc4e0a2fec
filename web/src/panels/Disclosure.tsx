import type { ReactNode } from "react";
import "./Disclosure.css";

interface DisclosureProps {
  readonly title: string;
  /** Stands open, where there is room for it. */
  readonly unfolded?: boolean;
  readonly children: ReactNode;
}

/** Rows that few need, folded away under a line that names them. */
export function Disclosure({ title, unfolded = false, children }: DisclosureProps) {
  return (
    <details className="fold" open={unfolded}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
