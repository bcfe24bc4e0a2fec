import type { ReactNode } from "react";
import { isField } from "../scenario/differences.ts";
import { locks, pathsAt } from "../scenario/lock.ts";
import { fieldAt } from "../scenario/schema.ts";
import type { Scenario } from "../scenario/types.ts";
import { LockContext } from "../ui/lock.ts";
import { useEffectiveScenario, useSession } from "./context.tsx";

const LOCKED = "Locked by the page that shows this.";

/** Settings; where the page around this one has locked them, they are shown and say so. */
export function Settings({ children }: { readonly children: ReactNode }) {
  const lock = useSession().locked ? LOCKED : null;
  return <LockContext value={lock}>{children}</LockContext>;
}

/** The control of some fields, which may be locked, or free, apart from the rest. */
export function FieldLock({
  paths,
  children,
}: {
  readonly paths: readonly string[];
  readonly children: ReactNode;
}) {
  const { lock } = useSession();
  if (!lock) return children;
  const held = paths.some((path) => locks(lock, path));
  return <LockContext value={held ? LOCKED : null}>{children}</LockContext>;
}

/** Says at the head of the settings what of them is locked, and which names in the address are of no field. */
export function LockNote() {
  const { lock } = useSession();
  const shown = useEffectiveScenario();
  if (!lock) return null;
  const { all, locked, free } = lock;
  const titles = (names: readonly string[]) => names.flatMap((name) => titleOf(shown, name) ?? []).join(", ");
  const unknown = [...locked, ...free].filter((name) => titleOf(shown, name) === null);
  const [held, freed] = [titles(locked), titles(free)];
  return (
    <p className="note lock-note">
      {(all || held) && LOCKED.slice(0, -1)}
      {!all && held && `: ${held}`}
      {freed && (all || held) && `, all but ${freed}`}
      {(all || held) && "."}
      {unknown.length > 0 &&
        ` The address names ${unknown.map((name) => `“${name.slice(0, 40)}”`).join(", ")}, of which the scenario has no field.`}
    </p>
  );
}

/** The title of a field that a name of the address means; null where the scenario has none. */
function titleOf(scenario: Scenario, name: string): string | null {
  const [path] = pathsAt(scenario, name);
  return path && isField(path, scenario) ? fieldAt(path, scenario).title : null;
}
