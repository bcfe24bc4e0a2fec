import { Dialog as Base } from "@base-ui/react/dialog";
import { type ReactNode, useRef } from "react";
import { container } from "./placement.ts";
import "./Dialog.css";

export interface DialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A modal dialog. Esc closes it, a click beside it does not; the focus goes to what is marked `data-autofocus`. */
export function Dialog({ open, title, onClose, className = "", children }: DialogProps) {
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
