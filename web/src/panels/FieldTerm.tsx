import type { ReactNode } from "react";
import { showHint } from "./hint.ts";
import { hoverHint } from "./ParameterRow.tsx";

/** The name of a setting where it has no row of its own: explains the field under the pointer and when pressed. */
export function FieldTerm({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  return (
    <button
      type="button"
      className="explained"
      {...hoverHint(path)}
      onFocus={({ currentTarget }) =>
        currentTarget.matches(":focus-visible") && showHint(path, currentTarget, false)
      }
      onClick={({ currentTarget }) => showHint(path, currentTarget, true)}
    >
      {children}
    </button>
  );
}
