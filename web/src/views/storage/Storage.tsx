import { type ReactNode, useMemo } from "react";
import { useEffectiveScenario, useExplanation, useRun, useSession } from "../../panels/context.tsx";
import { AccessPanel, noDevices } from "../../panels/SettingsPanels.tsx";
import {
  ArbitrationPanel,
  CollectionPanel,
  ConstantPanel,
  MemoryPanel,
  SsdPanel,
  TenantsPanel,
} from "../../panels/StoragePanels.tsx";
import { deviceName } from "../../run/devices.ts";
import type { RunView } from "../../run/types.ts";
import { Button } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { useFrame } from "../../ui/media.ts";
import { late } from "../../ui/onDemand.tsx";
import { Select } from "../../ui/Select.tsx";
import { Guarded } from "../../workbench/Guarded.tsx";
import { ClassStrip } from "../../workbench/settings/Phone.tsx";
import { IconBar, SettingsDrawer, Sidebar, type SidebarPanel } from "../../workbench/settings/Sidebar.tsx";
import { exploreView } from "../../workbench/state/exploreView.ts";
import { storageView } from "../../workbench/state/storageView.ts";
import { HintToVary } from "../../workbench/study/offers.tsx";
import { useShown, useViewState, useViews } from "../../workbench/view/viewContext.tsx";
import { OwnDrives } from "./OwnDrives.tsx";
import { StoragePane } from "./StoragePane.tsx";
import { StorageResults } from "./StorageResults.tsx";
import "./Storage.css";

/** Fits a drive to measurements; its script comes with its first use. */
const Fit = late<{ readonly device: string }>(() => import("./fit/Fit.tsx"));

/** A storage device, or how one is fitted to measurements. */
export default function Storage() {
  const [{ fit }] = useViewState(storageView);
  const view = useRun((run) => run.view);
  const device = useDevice(view);
  if (!fit) return <Device />;
  const name = view && view.layout.devices.length > 0 ? deviceName(view, device) : "Storage";
  return <Fit device={name} />;
}

/** A storage device from the inside: settings on the left, queues, chips and blocks in the middle, what classes get on the right. */
function Device() {
  const frame = useFrame();
  const phone = frame === "phone";
  const shown = useShown();
  const view = useRun((run) => run.view);
  const device = useDevice(view);
  const panels = usePanels(view, device);
  const head = view && <DeviceHead view={view} device={device} />;
  const hasDevices = view !== null && view.layout.devices.length > 0;
  return (
    <>
      {phone && shown.results && (
        <Guarded name="The classes">
          <ClassStrip />
        </Guarded>
      )}
      <main className="explore storage">
        {!phone && (
          <Guarded name="Settings">
            {frame === "desk" ? <Sidebar panels={panels} head={head} /> : <IconBar panels={panels} />}
          </Guarded>
        )}
        <Guarded name="The device">
          <div className="main-pane">
            {frame !== "desk" && head}
            {hasDevices ? (
              <StoragePane key={device} frame={frame} view={view} device={device} />
            ) : (
              view && <NoDevices />
            )}
          </div>
        </Guarded>
        {shown.results && (
          <Guarded name="Results">
            {hasDevices ? (
              <StorageResults frame={frame} view={view} device={device} />
            ) : (
              <aside className="results" aria-label="Results" />
            )}
          </Guarded>
        )}
      </main>
      <Guarded name="A panel">
        {frame !== "desk" && <SettingsDrawer frame={frame} panels={panels} />}
        <HintToVary />
      </Guarded>
    </>
  );
}

/** The device that is shown: the chosen one, while the run has it. */
function useDevice(view: RunView | null): number {
  const [{ device }] = useViewState(storageView);
  return device !== null && view && device < view.layout.devices.length ? device : 0;
}

function usePanels(view: RunView | null, device: number): readonly SidebarPanel[] {
  const devices = view?.layout.devices;
  const kind = devices?.[device]?.kind ?? "ssd";
  const hasSsd = devices?.some(({ kind }) => kind === "ssd") ?? true;
  const hasDevices = !devices || devices.length > 0;
  return useMemo(() => {
    const access = {
      id: "access",
      title: "Access",
      icon: "share",
      panel: <AccessPanel />,
    } as const satisfies SidebarPanel;
    // What else there is has no effect without devices.
    if (!hasDevices) return [access];
    const tenants = {
      id: "tenants",
      title: "Tenants",
      icon: "classes",
      panel: <TenantsPanel />,
    } as const satisfies SidebarPanel;
    if (kind === "constant-capacity") {
      // It has no controller, and nothing inside that could be set.
      return [
        { id: "constant", title: "Server", icon: "storage", panel: <ConstantPanel /> },
        tenants,
        access,
      ];
    }
    const isMemory = kind === "persistent-memory";
    const memory: readonly SidebarPanel[] = isMemory
      ? [{ id: "memory", title: "Memory", icon: "storage", panel: <MemoryPanel /> }]
      : [];
    const ssd: readonly SidebarPanel[] = hasSsd
      ? [{ id: "ssd", title: "SSD", icon: "storage", panel: <SsdPanel more={<OwnDrives />} /> }]
      : [];
    return [
      { id: "arbitration", title: "NVMe", icon: "queue", panel: <ArbitrationPanel device={device} /> },
      ...memory,
      ...(isMemory ? [] : ssd),
      { id: "gc", title: "GC", icon: "trash", panel: <CollectionPanel isMemory={isMemory} /> },
      tenants,
      access,
    ] satisfies readonly SidebarPanel[];
  }, [device, kind, hasSsd, hasDevices]);
}

/** Where one is: back to the network, and which device. */
function DeviceHead({ view, device }: { readonly view: RunView; readonly device: number }) {
  const views = useViews();
  const { devices } = view.layout;
  const [, change] = useViewState(storageView);
  return (
    <nav className="device-head" aria-label="Device">
      <Button look="link" className="device-back" onClick={() => views.show(exploreView)}>
        <Icon name="back" /> Fabric
      </Button>
      <span aria-hidden="true">/</span>
      {devices.length > 1 ? (
        <Select
          aria-label="Device"
          value={String(device)}
          options={devices.map((_, i) => ({ value: String(i), title: deviceName(view, i) }))}
          onChange={(next) => change({ device: next === "0" ? null : Number(next) })}
        />
      ) : (
        <b aria-current="page">{devices.length > 0 ? deviceName(view, device) : "Storage"}</b>
      )}
      <span className="note device-kind">
        <Icon name="storage" />
        {kindText(view, device)}
      </span>
    </nav>
  );
}

/** What devices are called within a sentence. */
const KINDS = {
  ssd: "SSD",
  "persistent-memory": "persistent memory",
  "constant-capacity": "constant capacity",
} as const;

const kindText = (view: RunView, device: number): string => KINDS[view.layout.devices[device]?.kind ?? "ssd"];

/** What to do about a scenario that ends at its hosts. */
function NoDevices() {
  const session = useSession();
  const explanation = useExplanation();
  const shown = useEffectiveScenario();
  const remedy = noDevices(explanation) ?? {
    label: "Go on to the devices",
    path: "access.protocol",
    value: "nvme-tcp",
  };
  const note: ReactNode =
    shown.workloads.length === 0
      ? "No workload asks for anything."
      : "The requests of this scenario end at the hosts.";
  return (
    <section className="no-devices" aria-labelledby="no-devices-title">
      <h2 id="no-devices-title">No storage devices</h2>
      <p>
        {note} Over NVMe or iSCSI they go on to the devices of their targets, with queues, arbitration, flash
        and garbage collection.
      </p>
      <Button look="primary" onClick={() => session.change([{ path: remedy.path, value: remedy.value }])}>
        {remedy.label}
      </Button>
    </section>
  );
}
