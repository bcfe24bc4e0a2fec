import type { ReactNode } from "react";

interface PanelProps {
  readonly id: string;
  readonly title: string;
  readonly note?: ReactNode;
  /** A button beside the title. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function Panel({ id, title, note, action, children }: PanelProps) {
  return (
    <section className="panel" id={`panel-${id}`} aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        {note && <span className="note">{note}</span>}
        {action}
      </header>
      {children}
    </section>
  );
}
