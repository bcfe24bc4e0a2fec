import type { ReactNode, RefObject } from "react";
import { onDemand } from "./onDemand.tsx";
import "./Popover.css";

export interface PopoverProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly label: string;
  /** "beside" leaves the column of settings that the anchor stands in uncovered. */
  readonly placement?: "below" | "below-end" | "beside";
  /** Moves the focus inside when it opens: to what is marked `data-autofocus`, else to the popover itself. */
  readonly takesFocus?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A popover beside its anchor: Esc or a click elsewhere closes it and the focus returns. */
export const Popover = onDemand<PopoverProps>(() => import("./popups/Popover.tsx"));
