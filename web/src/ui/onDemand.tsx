import { type ComponentType, type RefObject, Suspense, useEffect, useEffectEvent, useRef } from "react";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { FetchFailure, tellUnfetched } from "./fetching.ts";
import { part } from "./part.tsx";
import { isFrom } from "./placement.ts";

const loads: (() => Promise<unknown>)[] = [];

interface OpenAndClose {
  readonly open: boolean;
  readonly onClose: () => void;
  /** What opens and closes it, where it stands beside that. */
  readonly anchor?: RefObject<HTMLElement | null>;
}

/** A script that comes after the page has appeared: when the page is idle, or with its first use. */
export function fetchedWhenIdle<T>(load: () => Promise<T>): () => Promise<T> {
  loads.push(load);
  return load;
}

/**
 * A part of the page whose script comes after the page has appeared: when the page is idle, or with its first use. Should it
 * not, what stands around it stays, and it can be tried again.
 */
export function late<P extends object>(
  load: () => Promise<{ readonly default: ComponentType<P> }>,
): ComponentType<P> {
  const Part = part(fetchedWhenIdle(load));
  return (props: P) => (
    <ErrorBoundary
      fallback={(error, retry) => {
        if (!(error instanceof FetchFailure)) throw error;
        return (
          <p className="note unfetched">
            This part could not be fetched:{" "}
            <button type="button" className="link" onClick={retry}>
              try again
            </button>
          </p>
        );
      }}
    >
      <Suspense>
        <Part {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}

/** The same of what opens and closes. It is nothing while it has never been open; should it not come, a notice offers to try again. */
export function onDemand<P extends OpenAndClose>(
  load: () => Promise<{ readonly default: ComponentType<P> }>,
): ComponentType<P> {
  const Part = part(fetchedWhenIdle(load));
  return function OnDemand(props: P) {
    const used = useRef(false);
    used.current ||= props.open;
    if (!used.current) return null;
    return (
      <ErrorBoundary
        fallback={(error, retry) => {
          if (!(error instanceof FetchFailure)) throw error;
          return <NotCome open={props.open} onClose={props.onClose} retry={retry} />;
        }}
      >
        <Suspense fallback={<Coming {...props} />}>
          <Part {...props} />
        </Suspense>
      </ErrorBoundary>
    );
  };
}

interface NotComeProps extends OpenAndClose {
  readonly retry: () => void;
}

/** Stands for a part whose script did not come: a notice while it is open, and another try when it is opened again. */
function NotCome({ open, onClose, retry }: NotComeProps) {
  const wasClosed = useRef(false);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (open && !wasClosed.current) return tellUnfetched({ retry, dismiss: () => close() });
    wasClosed.current = true;
    if (open) retry();
    return undefined;
  }, [open, retry]);
  return null;
}

/** Stands for a part that opens as soon as its script has come: Esc, or a press elsewhere, calls that off as it closes it. */
function Coming({ open, onClose, anchor }: OpenAndClose) {
  const onKey = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === "Escape") onClose();
  });
  const onPress = useEffectEvent((event: Event) => {
    if (anchor && !isFrom(anchor, event)) onClose();
  });
  useEffect(() => {
    if (!open) return;
    const over = new AbortController();
    document.addEventListener("keydown", onKey, over);
    document.addEventListener("pointerdown", onPress, over);
    return () => over.abort();
  }, [open]);
  return null;
}

/**
 * Fetches all these scripts, one after another, so that the first use of any does not wait. Of one that cannot be fetched its
 * first use will tell.
 */
export async function fetchParts(): Promise<void> {
  for (const load of loads) await load().catch(() => {});
}
