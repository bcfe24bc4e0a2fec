import { Dialog } from "@base-ui/react/dialog";
import { type ReactNode, useRef } from "react";
import { container } from "./placement.ts";

export interface DrawerProps {
  readonly open: boolean;
  readonly label: string;
  readonly onClose: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A dialog beside the page, which stays visible and alive: Esc inside it closes it, a click elsewhere does not. */
export default function Drawer({ open, label, onClose, className = "", children }: DrawerProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root
      open={open}
      modal={false}
      disablePointerDismissal
      onOpenChange={(next, details) => {
        const inside = popup.current?.contains(document.activeElement);
        if (!next && details.reason !== "focus-out" && inside && !isForPopup(details.event)) return onClose();
        details.cancel();
        details.allowPropagation();
      }}
    >
      <Dialog.Portal container={container()}>
        <Dialog.Popup ref={popup} className={`drawer ${className}`} aria-label={label}>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Whether an event closes what is open over the drawer, or has just closed it: a hint can open without taking the focus. */
const isForPopup = ({ defaultPrevented }: Event): boolean =>
  defaultPrevented || document.querySelector(".popup[data-open]") !== null;
