import { type ReactNode, useRef, useState } from "react";
import type { MenuEntry } from "../../ui/Menu.tsx";
import { Menu } from "../../ui/popups.ts";

/** What is offered to do with a point of a table, by its place. */
export type PointEntries = (point: number) => readonly MenuEntry[];

interface OpenMenu {
  readonly point: number;
  readonly x: number;
  readonly y: number;
}

/** A menu at a point of a picture, in which its anchor stands. The focus returns to the picture. */
export function usePointMenu(
  entries: PointEntries,
  label: string,
): {
  /** The point whose menu is open; null where none is. */
  readonly point: number | null;
  readonly open: (menu: OpenMenu) => void;
  readonly menu: ReactNode;
} {
  const [at, setAt] = useState<OpenMenu | null>(null);
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  return {
    point: isOpen ? (at?.point ?? null) : null,
    open(menu) {
      setAt(menu);
      setOpen(true);
    },
    menu: (
      <>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: hands the focus that a menu returns on to the picture */}
        <span
          ref={anchor}
          className="study-anchor"
          tabIndex={-1}
          style={{ left: at?.x ?? 0, top: at?.y ?? 0 }}
          onFocus={({ currentTarget }) => currentTarget.closest<HTMLElement>(".chart-picture")?.focus()}
        />
        <Menu
          open={isOpen}
          onClose={() => setOpen(false)}
          anchor={anchor}
          label={label}
          entries={at ? entries(at.point) : []}
        />
      </>
    ),
  };
}
