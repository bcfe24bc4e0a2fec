import { useRef, useState } from "react";
import { IconButton } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { Menu } from "../../ui/popups.ts";
import { toggleTheme, useTheme } from "../../ui/theme.ts";
import { pageStore } from "../../workbench/pageStore.ts";

/** Theme, search and help, where the bar at the top has no room for them. */
export function MoreMenu() {
  const [open, setOpen] = useState(false);
  const dark = useTheme() === "dark";
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <>
      <IconButton
        ref={anchor}
        icon="more"
        label="More"
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      <Menu
        open={open}
        onClose={() => setOpen(false)}
        anchor={anchor}
        label="More"
        align="end"
        entries={[
          {
            id: "theme",
            content: (
              <>
                <Icon name={dark ? "sun" : "moon"} /> {dark ? "Light theme" : "Dark theme"}
              </>
            ),
            stays: true,
            onSelect: toggleTheme,
          },
          {
            id: "palette",
            content: (
              <>
                <Icon name="search" /> Find anything
              </>
            ),
            onSelect: () => pageStore.setState({ palette: true }),
          },
          {
            id: "help",
            content: (
              <>
                <Icon name="help" /> Shortcuts and help
              </>
            ),
            onSelect: () => pageStore.setState({ shortcuts: true }),
          },
        ]}
      />
    </>
  );
}
