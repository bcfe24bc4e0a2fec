import { type ReactNode, useEffect, useRef } from "react";
import "../time/TimeTable.css";

interface ChartTableProps {
  /** Title of the chart that it stands for. */
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The tables that stand for a picture: they take the focus, scroll with the keys, and T or Esc closes them. */
export function ChartTable({ title, onClose, children }: ChartTableProps) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section
      ref={box}
      className="chart-table"
      aria-label={`${title}, table`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls with the keys
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.key !== "t" && event.key !== "T" && event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      {children}
    </section>
  );
}
