import { useStore } from "zustand";
import { useScenario } from "../../../panels/context.tsx";
import { LockNote } from "../../../panels/Settings.tsx";
import { NetworkPanel } from "../../../panels/SettingsPanels.tsx";
import { unreachable } from "../../../scenario/drawing.ts";
import { Icon } from "../../../ui/Icon.tsx";
import type { Frame } from "../../../ui/media.ts";
import { pageStore } from "../../../workbench/pageStore.ts";
import { SettingsDrawer, type SidebarPanel } from "../../../workbench/settings/Sidebar.tsx";
import { chooseTool, useNetworkEdit } from "./editing.ts";
import { NetworkFiles } from "./NetworkFiles.tsx";
import { TOOLS } from "./tools.ts";
import "./network.css";

/** Where the network comes from, and whether it holds together. */
const PANELS: readonly SidebarPanel[] = [
  { id: "network", title: "Network", icon: "network", panel: <NetworkPanel /> },
  { id: "network-files", title: "Files", panel: <NetworkFiles /> },
  { id: "check", title: "Check", panel: <Check /> },
];

/** What one draws with, in the place of the settings: behind icons where these are. */
export default function NetworkTools({ frame }: { readonly frame: Frame }) {
  const { tool, chosen, remove } = useNetworkEdit();
  const drawer = useStore(pageStore, (page) => page.drawer);
  const isBar = frame !== "desk";
  const hasChosen = chosen.nodes.size + chosen.cables.size > 0;
  const tools = (
    <>
      {TOOLS.map((item) => (
        <button
          key={item.tool}
          type="button"
          aria-pressed={tool === item.tool}
          aria-label={isBar ? item.name : undefined}
          onClick={() => chooseTool(item.tool)}
        >
          <Icon name={item.icon} />
          {isBar ? item.short : item.name}
          {!isBar && <kbd>{item.key}</kbd>}
        </button>
      ))}
      <button type="button" aria-disabled={!hasChosen} onClick={() => hasChosen && remove()}>
        <Icon name="trash" />
        Remove
        {!isBar && <kbd>⌫</kbd>}
      </button>
    </>
  );
  if (isBar) {
    return (
      <>
        <nav className="icon-bar" aria-label="Tools">
          {tools}
          <button
            type="button"
            aria-expanded={drawer !== null}
            onClick={() => pageStore.setState({ drawer: drawer === null ? "network" : null })}
          >
            <Icon name="network" />
            Network
          </button>
        </nav>
        <SettingsDrawer frame={frame} panels={PANELS} />
      </>
    );
  }
  return (
    <section className="sidebar" aria-label="Tools">
      <LockNote />
      <section className="panel" aria-labelledby="draw-title">
        <header>
          <h2 id="draw-title">Draw</h2>
        </header>
        <div className="network-tools" role="toolbar" aria-label="Drawing tools" aria-orientation="vertical">
          {tools}
        </div>
      </section>
      {PANELS.map(({ id, panel }) => (
        <div key={id}>{panel}</div>
      ))}
    </section>
  );
}

/** Whether every host reaches every other one. */
function Check() {
  const scenario = useScenario();
  const lost = unreachable(scenario);
  return (
    <section className="panel" aria-labelledby="check-title">
      <header>
        <h2 id="check-title">Check</h2>
      </header>
      <p className="row-note">
        {lost.length === 0
          ? "Every host reaches every storage server."
          : `No path to ${lost.slice(0, 6).join(", ")}${lost.length > 6 ? ` and ${lost.length - 6} more` : ""}. Connect them.`}
      </p>
    </section>
  );
}
