import { useId, useRef } from "react";
import { type Exportable, save } from "./export.ts";
import type { ExportStamp } from "./types.ts";

interface ChartMenuProps {
  readonly title: string;
  readonly stamp: ExportStamp | undefined;
  readonly exportable: () => Exportable;
  readonly table: boolean;
  /** Absent where the table is switched elsewhere. */
  readonly onToggleTable?: () => void;
}

/** Quiet button at a chart's top right: table twin and files. Appears on hover and focus, always on touch screens. */
export function ChartMenu({ title, stamp, exportable, table, onToggleTable }: ChartMenuProps) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  const place = () => {
    const from = button.current?.getBoundingClientRect();
    const menu = popover.current;
    if (!from || !menu) return;
    menu.style.top = `${Math.min(from.bottom + 4, innerHeight - 140)}px`;
    menu.style.left = `${Math.max(8, from.right - 152)}px`;
  };
  const close = () => popover.current?.hidePopover();
  const file = (format: "csv" | "svg" | "png") => {
    close();
    if (stamp) save(exportable(), stamp, format).catch(console.error);
  };

  return (
    <div className="chart-menu">
      <button
        ref={button}
        type="button"
        className="chart-menu-button"
        popoverTarget={id}
        aria-label={`${title}: table and export`}
        title="Table and export"
        onClick={place}
      >
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M3 8h.01M8 8h.01M13 8h.01" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />
        </svg>
      </button>
      <div ref={popover} id={id} popover="auto" className="chart-menu-popover">
        {onToggleTable && (
          <button
            type="button"
            onClick={() => {
              close();
              onToggleTable();
            }}
          >
            {table ? "As chart" : "As table"} <kbd>T</kbd>
          </button>
        )}
        {stamp && (
          <>
            <button type="button" onClick={() => file("csv")}>
              Save as CSV
            </button>
            <button type="button" onClick={() => file("svg")}>
              Save as SVG
            </button>
            <button type="button" onClick={() => file("png")}>
              Save as PNG
            </button>
          </>
        )}
      </div>
    </div>
  );
}
