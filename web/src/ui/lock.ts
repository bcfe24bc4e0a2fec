import { createContext, useContext } from "react";

/** Why nothing inside can be changed; null where it can. */
export const LockContext = createContext<string | null>(null);

export const useLock = (): string | null => useContext(LockContext);

/** A control in a locked place keeps its value, is reached by the keyboard, and says why it has no effect. */
export function useDisabled(disabled: boolean): { readonly disabled: boolean; readonly title?: string } {
  const lock = useLock();
  return lock === null ? { disabled } : { disabled: true, title: lock };
}
