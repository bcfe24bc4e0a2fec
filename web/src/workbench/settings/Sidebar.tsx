import { type ReactNode, useEffect } from "react";
import { useStore } from "zustand";
import { ClassesPanel } from "../../panels/ClassesPanel.tsx";
import { LockNote, Settings } from "../../panels/Settings.tsx";
import {
  AccessPanel,
  MorePanel,
  NetworkPanel,
  RunPanel,
  StoragePanel,
  SwitchPanel,
  TransportPanel,
} from "../../panels/SettingsPanels.tsx";
import { WorkloadsPanel } from "../../panels/WorkloadsPanel.tsx";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Deferred } from "../../ui/Deferred.tsx";
import { Icon, type IconName } from "../../ui/Icon.tsx";
import type { Frame } from "../../ui/media.ts";
import { Drawer } from "../../ui/popups.ts";
import { pageStore } from "../pageStore.ts";
import { exploreView } from "../state/exploreView.ts";
import { storageView } from "../state/storageView.ts";
import { FindSettings } from "../study/offers.tsx";
import { useShown, useViewState, useViews } from "../view/viewContext.tsx";
import "./Sidebar.css";

/** A panel of settings, and how it is reached where there is no room for all of them. */
export interface SidebarPanel {
  readonly id: string;
  readonly title: string;
  /** Absent: without a button of its own. */
  readonly icon?: IconName;
  readonly panel: ReactNode;
}

const EXPLORE_PANELS: readonly SidebarPanel[] = [
  { id: "classes", title: "Classes", icon: "classes", panel: <Classes /> },
  { id: "switch", title: "Switch", icon: "queue", panel: <SwitchPanel recommend={<FindSettings />} /> },
  { id: "network", title: "Network", icon: "network", panel: <NetworkPanel /> },
  { id: "workloads", title: "Workloads", icon: "list", panel: <WorkloadsPanel /> },
  { id: "transport", title: "Transport", icon: "transport", panel: <TransportPanel /> },
  { id: "access", title: "Access", icon: "share", panel: <AccessPanel /> },
  { id: "storage", title: "Storage", icon: "storage", panel: <StoragePanel more={<OpenStorage />} /> },
  { id: "run", title: "Run", icon: "dice", panel: <RunPanel /> },
  { id: "more", title: "More", panel: <MorePanel /> },
];

function OpenStorage() {
  const views = useViews();
  return (
    <p className="row-note">
      <Button look="link" onClick={() => views.show(storageView)}>
        Queues, chips and garbage collection
      </Button>
    </p>
  );
}

function Classes() {
  const [{ class: opened }, change] = useViewState(exploreView);
  return <ClassesPanel opened={opened} onOpen={(next) => change({ class: next })} />;
}

/** All settings, one below the other; panel after panel where the page is just appearing. */
export function Sidebar({
  panels = EXPLORE_PANELS,
  atOnce = false,
  head,
}: {
  readonly panels?: readonly SidebarPanel[];
  readonly atOnce?: boolean;
  /** Stands above the panels. */
  readonly head?: ReactNode;
}) {
  if (!useShown().settings) return null;
  return (
    <Settings>
      <section className="sidebar" aria-label="Settings">
        <LockNote />
        {head}
        {panels.map(({ id, panel }) => (
          <div key={id}>{atOnce ? panel : <Deferred>{panel}</Deferred>}</div>
        ))}
      </section>
    </Settings>
  );
}

/** The settings behind icons; each opens the drawer at its panel. */
export function IconBar({ panels = EXPLORE_PANELS }: { readonly panels?: readonly SidebarPanel[] }) {
  const drawer = useStore(pageStore, (page) => page.drawer);
  if (!useShown().settings) return null;
  return (
    <nav className="icon-bar" aria-label="Settings">
      {panels.map(
        ({ id, title, icon }) =>
          icon && (
            <button
              key={id}
              type="button"
              aria-expanded={drawer === id}
              onClick={() => pageStore.setState({ drawer: drawer === id ? null : id })}
            >
              <Icon name={icon} />
              {title}
            </button>
          ),
      )}
    </nav>
  );
}

/** The settings over the main pane, which stays visible and alive beside them. */
export function SettingsDrawer({
  frame,
  panels = EXPLORE_PANELS,
}: {
  readonly frame: Frame;
  readonly panels?: readonly SidebarPanel[];
}) {
  const panel = useStore(pageStore, (page) => page.drawer);
  const close = () => pageStore.setState({ drawer: null });
  if (!useShown().settings) return null;
  return (
    <Drawer open={panel !== null} label="Settings" onClose={close} className={`drawer-${frame}`}>
      <header>
        <h2>Settings</h2>
        <IconButton icon="close" label="Close settings" onClick={close} />
      </header>
      <Sidebar panels={panels} atOnce />
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
