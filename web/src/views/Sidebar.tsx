import { type ReactNode, useEffect } from "react";
import { useStore } from "zustand";
import { ClassesPanel } from "../panels/ClassesPanel.tsx";
import { MorePanel, NetworkPanel, RunPanel, SwitchPanel, TransportPanel } from "../panels/SettingsPanels.tsx";
import { WorkloadsPanel } from "../panels/WorkloadsPanel.tsx";
import { IconButton } from "../ui/Button.tsx";
import { Deferred } from "../ui/Deferred.tsx";
import { Drawer } from "../ui/Drawer.tsx";
import { Icon, type IconName } from "../ui/Icon.tsx";
import type { Frame } from "../ui/media.ts";
import { pageStore } from "./actions.ts";
import { exploreView } from "./exploreView.ts";
import { useViewState } from "./viewContext.tsx";
import "./Sidebar.css";

const PANELS: readonly {
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly panel: ReactNode;
}[] = [
  { id: "classes", title: "Classes", icon: "classes", panel: <Classes /> },
  { id: "workloads", title: "Workloads", icon: "list", panel: <WorkloadsPanel /> },
  { id: "network", title: "Network", icon: "network", panel: <NetworkPanel /> },
  { id: "switch", title: "Switch", icon: "queue", panel: <SwitchPanel /> },
  { id: "transport", title: "Transport", icon: "transport", panel: <TransportPanel /> },
  { id: "run", title: "Run", icon: "dice", panel: <RunPanel /> },
];

function Classes() {
  const [{ class: opened }, change] = useViewState(exploreView);
  return <ClassesPanel opened={opened} onOpen={(next) => change({ class: next })} />;
}

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

/** The settings over the main pane, which stays visible and alive beside them. */
export function SettingsDrawer({ frame }: { readonly frame: Frame }) {
  const panel = useStore(pageStore, (page) => page.drawer);
  const close = () => pageStore.setState({ drawer: null });
  return (
    <Drawer open={panel !== null} label="Settings" onClose={close} className={`drawer-${frame}`}>
      <header>
        <h2>Settings</h2>
        <IconButton icon="close" label="Close settings" onClick={close} />
      </header>
      <Sidebar atOnce />
      {panel !== null && <ScrolledTo panel={panel} />}
    </Drawer>
  );
}

/** Brings a panel of the settings to the top. */
function ScrolledTo({ panel }: { readonly panel: string }) {
  useEffect(() => {
    document.getElementById(`panel-${panel}`)?.scrollIntoView();
  }, [panel]);
  return null;
}
