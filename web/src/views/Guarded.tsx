import type { ReactNode } from "react";
import { useStore } from "zustand";
import type { Session } from "../engine/session.ts";
import { useSession } from "../panels/context.tsx";
import { scenarioOf } from "../scenario/store.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBoundary } from "../ui/ErrorBoundary.tsx";
import { Icon } from "../ui/Icon.tsx";
import "./Guarded.css";

/** A part of the page. If it cannot be drawn, the rest of the page and the run go on, and the last change can be undone. */
export function Guarded({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <GuardedBy session={useSession()} name={name}>
      {children}
    </GuardedBy>
  );
}

/** The same outside of what gives the session to its parts. */
export function GuardedBy({
  session,
  name,
  children,
}: {
  readonly session: Session;
  readonly name: string;
  readonly children: ReactNode;
}) {
  const scenario = useStore(session.store, scenarioOf);
  const canUndo = useStore(session.store, (state) => state.history.past.length > 0);
  return (
    <ErrorBoundary
      retryOn={scenario}
      fallback={(error, retry) => (
        <section className="failed" role="alert">
          <h2>
            <Icon name="warning" /> {name} cannot be shown
          </h2>
          <p>The run goes on. {canUndo ? "Undo the last change, or try again." : "Try again."}</p>
          <p className="note">{String(error).slice(0, 200)}</p>
          <div className="button-row">
            {canUndo && (
              <Button look="primary" icon="undo" onClick={session.undo}>
                Undo
              </Button>
            )}
            <Button onClick={retry}>Try again</Button>
          </div>
        </section>
      )}
    >
      {children}
    </ErrorBoundary>
  );
}
