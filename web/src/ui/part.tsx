import { type ComponentType, lazy } from "react";
import { FetchFailure } from "./fetching.ts";

/** Makes parts anew whose scripts could not be fetched. */
const renewals = new Set<() => void>();

/** A part of the page with a script of its own. Unlike React's `lazy` alone, it can be fetched again where that has failed. */
export function part<P extends object>(
  load: () => Promise<{ readonly default: ComponentType<P> }>,
): ComponentType<P> {
  const fetched = () =>
    lazy(() =>
      load().catch((error) => {
        renewals.add(renew);
        throw new FetchFailure(String(error), { cause: error });
      }),
    );
  const renew = () => {
    Part = fetched();
  };
  let Part = fetched();
  return (props: P) => <Part {...props} />;
}

/** Has every part that could not be fetched try it again when it is next shown. */
export function renewParts(): void {
  for (const renew of renewals) renew();
  renewals.clear();
}
