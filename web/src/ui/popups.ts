import type { DrawerProps } from "./Drawer.tsx";
import type { MenuProps } from "./Menu.tsx";
import { onDemand } from "./onDemand.tsx";
import type { PopoverProps } from "./Popover.tsx";
import "./Drawer.css";
import "./Menu.css";
import "./Popover.css";

/**
 * What opens over the first view, without the library that carries it: that would be 38 kB of the scripts that the page waits
 * for. The styles are here, before those of what is made of it, which win.
 */
export const Drawer = onDemand<DrawerProps>(() => import("./Drawer.tsx"));
export const Menu = onDemand<MenuProps>(() => import("./Menu.tsx"));
export const Popover = onDemand<PopoverProps>(() => import("./Popover.tsx"));
