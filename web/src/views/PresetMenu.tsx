import { lazy, type RefObject, Suspense } from "react";
import { Popover } from "../ui/Popover.tsx";

interface PresetMenuProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly anchor: RefObject<HTMLElement | null>;
}

/** The scenarios come with the menu, when it is first opened. */
const PresetList = lazy(() => import("./PresetList.tsx"));

/** The scenarios that come with the page, and files. */
export function PresetMenu({ open, onClose, anchor }: PresetMenuProps) {
  return (
    <Popover open={open} onClose={onClose} anchor={anchor} label="Scenarios" className="preset-menu">
      <Suspense fallback={<div className="preset-body" />}>
        <PresetList onClose={onClose} />
      </Suspense>
    </Popover>
  );
}
