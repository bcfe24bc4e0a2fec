import { type ComponentType, lazy, Suspense, useRef } from "react";

const loads: (() => Promise<unknown>)[] = [];

/**
 * A part of the page whose script comes after the page has appeared: when the page is idle, or with its first use. It is
 * nothing while it has never been open.
 */
export function onDemand<P extends { readonly open: boolean }>(
  load: () => Promise<{ readonly default: ComponentType<P> }>,
): ComponentType<P> {
  const Part = lazy(load);
  loads.push(load);
  return function OnDemand(props: P) {
    const used = useRef(false);
    used.current ||= props.open;
    if (!used.current) return null;
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    );
  };
}

/** Fetches all these parts, one after another, so that the first use of any does not wait. */
export async function fetchParts(): Promise<void> {
  for (const load of loads) await load();
}
