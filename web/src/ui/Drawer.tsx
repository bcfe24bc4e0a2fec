import type { ReactNode } from "react";
import { onDemand } from "./onDemand.tsx";
import "./Drawer.css";

export interface DrawerProps {
  readonly open: boolean;
  readonly label: string;
  readonly onClose: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A dialog beside the page, which stays visible and alive: Esc inside it closes it, a click elsewhere does not. */
export const Drawer = onDemand<DrawerProps>(() => import("./popups/Drawer.tsx"));
