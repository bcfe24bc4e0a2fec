import { useRef, useState } from "react";
import { fetchFor } from "../../ui/fetching.ts";
import { Icon } from "../../ui/Icon.tsx";
import type { MenuEntry } from "../../ui/Menu.tsx";
import { fetchedWhenIdle } from "../../ui/onDemand.tsx";
import { Menu } from "../../ui/popups.ts";
import type { ExportStamp } from "../types.ts";
import type { Exportable } from "./export.ts";
import { usePrinted } from "./printing.ts";
import "./ChartMenu.css";

interface ChartMenuProps {
  readonly title: string;
  readonly stamp: ExportStamp | undefined;
  readonly exportable: () => Exportable;
  readonly table: boolean;
  /** Absent where the table is switched elsewhere. */
  readonly onToggleTable?: () => void;
}

const FORMATS = ["csv", "svg", "png"] as const;

const files = fetchedWhenIdle(() => import("./export.ts"));

/** Quiet button at a chart's top right: table twin and files. Appears on hover and focus, always on touch screens. */
export function ChartMenu({ title, stamp, exportable, table, onToggleTable }: ChartMenuProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  usePrinted(button, exportable);
  const name = `${title}: table and export`;
  const entries: MenuEntry[] = [];
  if (onToggleTable) {
    const content = (
      <>
        {table ? "As chart" : "As table"} <kbd>T</kbd>
      </>
    );
    entries.push({ id: "table", content, onSelect: onToggleTable });
  }
  if (stamp) {
    for (const format of FORMATS) {
      const onSelect = () =>
        fetchFor(files, ({ save }) => void save(exportable(), stamp, format).catch(console.error));
      entries.push({ id: format, content: `Save as ${format.toUpperCase()}`, onSelect });
    }
  }
  return (
    <div className="chart-menu">
      <button
        ref={button}
        type="button"
        className="chart-menu-button"
        aria-label={name}
        aria-haspopup="menu"
        aria-expanded={open}
        title="Table and export"
        onClick={() => setOpen(!open)}
      >
        <Icon name="more" />
      </button>
      <Menu
        open={open}
        onClose={() => setOpen(false)}
        anchor={button}
        label={name}
        align="end"
        entries={entries}
      />
    </div>
  );
}
