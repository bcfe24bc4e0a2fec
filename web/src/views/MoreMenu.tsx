import { useRef, useState } from "react";
import { Button, IconButton } from "../ui/Button.tsx";
import { Popover } from "../ui/Popover.tsx";
import { toggleTheme, useTheme } from "../ui/theme.ts";
import { pageStore } from "./actions.ts";

/** What has no room of its own in the top bar of a phone: theme and help. */
export function MoreMenu() {
  const [open, setOpen] = useState(false);
  const theme = useTheme();
  const anchor = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  const help = () => {
    close();
    pageStore.setState({ shortcuts: true });
  };
  return (
    <>
      <IconButton ref={anchor} icon="more" label="More" aria-expanded={open} onClick={() => setOpen(!open)} />
      <Popover
        open={open}
        onClose={close}
        anchor={anchor}
        label="More"
        placement="below-end"
        className="more-menu"
      >
        <Button look="quiet" icon={theme === "dark" ? "sun" : "moon"} onClick={toggleTheme}>
          {theme === "dark" ? "Light theme" : "Dark theme"}
        </Button>
        <Button look="quiet" icon="help" onClick={help}>
          Shortcuts and help
        </Button>
      </Popover>
    </>
  );
}
