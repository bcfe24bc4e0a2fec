import { type ReactNode, useEffect, useRef } from "react";
import { useStore } from "zustand";
import { ClassesPanel } from "../panels/ClassesPanel.tsx";
import { MorePanel, NetworkPanel, RunPanel, SwitchPanel, TransportPanel } from "../panels/SettingsPanels.tsx";
import { IconButton } from "../ui/Button.tsx";
import { Deferred } from "../ui/Deferred.tsx";
import { Icon, type IconName } from "../ui/Icon.tsx";
import { pageStore } from "./actions.ts";

const PANELS: readonly {
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly panel: ReactNode;
}[] = [
  { id: "classes", title: "Classes", icon: "classes", panel: <ClassesPanel /> },
  { id: "network", title: "Network", icon: "network", panel: <NetworkPanel /> },
  { id: "switch", title: "Switch", icon: "queue", panel: <SwitchPanel /> },
  { id: "transport", title: "Transport", icon: "transport", panel: <TransportPanel /> },
  { id: "run", title: "Run", icon: "dice", panel: <RunPanel /> },
];

/** All settings, one below the other; panel after panel where the page is just appearing. */
export function Sidebar({ atOnce = false }: { readonly atOnce?: boolean }) {
  const panels = [...PANELS, { id: "more", panel: <MorePanel /> }];
  return (
    <section className="sidebar" aria-label="Settings">
      {panels.map(({ id, panel }) => (
        <div key={id}>{atOnce ? panel : <Deferred>{panel}</Deferred>}</div>
      ))}
    </section>
  );
}

/** The settings behind icons; each opens the drawer at its panel. */
export function IconBar() {
  const drawer = useStore(pageStore, (page) => page.drawer);
  return (
    <nav className="icon-bar" aria-label="Settings">
      {PANELS.map(({ id, title, icon }) => (
        <button
          key={id}
          type="button"
          aria-expanded={drawer === id}
          onClick={() => pageStore.setState({ drawer: drawer === id ? null : id })}
        >
          <Icon name={icon} />
          {title}
        </button>
      ))}
    </nav>
  );
}

/** The settings over the main pane, which stays visible and alive beside them. Esc closes, the focus returns. */
export function Drawer() {
  const drawer = useStore(pageStore, (page) => page.drawer);
  const box = useRef<HTMLDialogElement>(null);
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    if (drawer === null) {
      if (!element.open) return;
      element.close();
      if (opener.current instanceof HTMLElement) opener.current.focus();
      return;
    }
    if (!element.open) {
      opener.current = document.activeElement;
      element.show();
    }
    const panel = element.querySelector<HTMLElement>(`#panel-${drawer}`);
    if (panel) element.scrollTop = panel.offsetTop - HEADER;
  }, [drawer]);
  const close = () => pageStore.setState({ drawer: null });
  return (
    <dialog
      ref={box}
      className="drawer"
      aria-label="Settings"
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) close();
      }}
    >
      <header>
        <h2>Settings</h2>
        <IconButton icon="close" label="Close settings" onClick={close} />
      </header>
      {drawer !== null && <Sidebar atOnce />}
    </dialog>
  );
}

/** Height of the drawer's own header. */
const HEADER = 40;
