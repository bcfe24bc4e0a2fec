import type { ReactNode } from "react";
import { onDemand } from "./onDemand.tsx";
import "./Dialog.css";

export interface DialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A modal dialog. Esc closes it, a click beside it does not; the focus goes to what is marked `data-autofocus`. */
export const Dialog = onDemand<DialogProps>(() => import("./popups/Dialog.tsx"));
