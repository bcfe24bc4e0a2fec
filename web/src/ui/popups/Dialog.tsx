import { Dialog as Base } from "@base-ui/react/dialog";
import { useRef } from "react";
import type { DialogProps } from "../Dialog.tsx";
import { container } from "./placement.ts";

export default function Dialog({ open, title, onClose, className = "", children }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} disablePointerDismissal onOpenChange={(next) => !next && onClose()}>
      <Base.Portal container={container()}>
        <Base.Backdrop className="dialog-backdrop" />
        <Base.Popup
          ref={popup}
          className={`dialog ${className}`}
          initialFocus={() => popup.current?.querySelector<HTMLElement>("[data-autofocus]") ?? true}
        >
          <Base.Title>{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
