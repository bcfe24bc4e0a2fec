import type { ReactNode } from "react";

/** One line above the bottom bar with at most one action; stays until answered or irrelevant. */
export function Notice({ children, action }: { readonly children: ReactNode; readonly action?: ReactNode }) {
  return (
    <div className="notice" role="status">
      <span>{children}</span>
      {action}
    </div>
  );
}
