import type { ReactNode } from "react";
import { useStore } from "zustand";
import type { Session } from "../engine/run/session.ts";
import { useSession } from "../panels/context.tsx";
import { scenarioOf } from "../scenario/store.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBoundary } from "../ui/ErrorBoundary.tsx";
import { FetchFailure } from "../ui/fetching.ts";
import { Icon } from "../ui/Icon.tsx";
import "./Guarded.css";

/** A part of the page. If it cannot be drawn, the rest of the page and the run go on, and the last change can be undone. */
export function Guarded(props: {
  readonly name: string;
  /** It fills the page between its bars. */
  readonly fills?: boolean;
  readonly children: ReactNode;
}) {
  const { children, ...rest } = props;
  return (
    <GuardedBy session={useSession()} {...rest}>
      {children}
    </GuardedBy>
  );
}

const isUnfetched = (error: unknown) => error instanceof FetchFailure;

/** The same outside of what gives the session to its parts. */
export function GuardedBy({
  session,
  name,
  fills = false,
  children,
}: {
  readonly session: Session;
  readonly name: string;
  readonly fills?: boolean;
  readonly children: ReactNode;
}) {
  const scenario = useStore(session.store, scenarioOf);
  const canUndo = useStore(session.store, (state) => state.history.past.length > 0);
  return (
    <ErrorBoundary
      retryOn={scenario}
      fallback={(error, retry) => (
        <section className={fills ? "failed fills" : "failed"} role="alert">
          <h2>
            <Icon name="warning" /> {name} cannot be {isUnfetched(error) ? "fetched" : "shown"}
          </h2>
          <p>The run goes on. {canUndo && !isUnfetched(error) && "Undo the last change, or try again."}</p>
          {!isUnfetched(error) && <p className="note">{String(error).slice(0, 200)}</p>}
          <div className="button-row">
            {canUndo && !isUnfetched(error) && (
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
