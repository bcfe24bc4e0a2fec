import type { ReactNode } from "react";
import { Button } from "../../../ui/Button.tsx";

/** What is shown of the chosen target; scrolls. */
export function Pane({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls with the keys
    <section className="rack-pane" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

interface NotWrittenProps {
  readonly label: string;
  /** Why; null while it is being written. */
  readonly failure: string | null;
  readonly retry: () => void;
}

/** Stands for what is being written, or could not be. */
export function NotWritten({ label, failure, retry }: NotWrittenProps) {
  return (
    <Pane label={label}>
      {failure === null ? (
        <p role="status">Being written …</p>
      ) : (
        <>
          <p role="alert">{failure}</p>
          <div className="button-row">
            <Button onClick={retry}>Try again</Button>
          </div>
        </>
      )}
    </Pane>
  );
}
