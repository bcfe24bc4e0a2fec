import { Dialog } from "@base-ui/react/dialog";
import { useRef } from "react";
import type { DrawerProps } from "../Drawer.tsx";
import { container } from "./placement.ts";

export default function Drawer({ open, label, onClose, className = "", children }: DrawerProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root
      open={open}
      modal={false}
      disablePointerDismissal
      onOpenChange={(next, details) => {
        const inside = popup.current?.contains(document.activeElement);
        if (next || details.reason === "focus-out" || !inside) details.cancel();
        else onClose();
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
