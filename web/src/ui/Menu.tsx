import type { ReactNode, RefObject } from "react";
import { onDemand } from "./onDemand.tsx";
import "./Menu.css";

export interface MenuEntry {
  readonly id: string;
  readonly content: ReactNode;
  /** One of several of which one holds, and whether it is that one. */
  readonly chosen?: boolean;
  /** Reached by the keyboard, but without effect; its content says why. */
  readonly disabled?: boolean;
  /** The menu stays open. */
  readonly stays?: boolean;
  readonly onSelect: () => void;
}

export interface MenuProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly label: string;
  readonly align?: "start" | "end";
  readonly className?: string;
  readonly entries: readonly MenuEntry[];
}

/** A menu beside the button that opens it. Arrows and letters move in it; Esc closes it and the focus returns. */
export const Menu = onDemand<MenuProps>(() => import("./popups/Menu.tsx"));
