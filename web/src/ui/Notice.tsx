import type { ReactNode } from "react";
import "./Notice.css";

/** A line or two above the bottom bar with at most one action, which may be refused; stays until answered or irrelevant. */
export function Notice({ children, action }: { readonly children: ReactNode; readonly action?: ReactNode }) {
  return (
    <div className="notice" role="status">
      <span>{children}</span>
      {action && <div className="notice-actions">{action}</div>}
    </div>
  );
}
