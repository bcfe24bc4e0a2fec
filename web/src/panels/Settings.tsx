import type { ReactNode } from "react";
import { LockContext } from "../ui/lock.ts";
import { useSession } from "./context.tsx";

const LOCKED = "Locked by the page that shows this.";

/** Settings; where the page around this one has locked them, they are shown and say so. */
export function Settings({ children }: { readonly children: ReactNode }) {
  const lock = useSession().locked ? LOCKED : null;
  return <LockContext value={lock}>{children}</LockContext>;
}

/** Says at the head of the settings that they are locked. */
export function LockNote() {
  return useSession().locked ? <p className="note lock-note">{LOCKED}</p> : null;
}
