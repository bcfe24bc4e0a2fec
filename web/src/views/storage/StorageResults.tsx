import { useMemo } from "react";
import { LatencyChart } from "../../charts/index.ts";
import { StagesPanel } from "../../panels/StagesPanel.tsx";
import type { RunView } from "../../run/types.ts";
import { type Frame, useWindowHeight } from "../../ui/media.ts";
import { ServicePanel } from "../../workbench/device/ServicePanel.tsx";
import { useStamp } from "../../workbench/stamp.ts";
import { storageView } from "../../workbench/state/storageView.ts";
import { useViewState } from "../../workbench/view/viewContext.tsx";

interface StorageResultsProps {
  readonly frame: Frame;
  readonly view: RunView;
  readonly device: number;
}

const DEVICE_LATENCY = { id: "device-latency", title: "Device latency" };

/** What classes get of the device: share of the service, latency, and where the time goes inside. */
export function StorageResults({ frame, view, device }: StorageResultsProps) {
  const stamp = useStamp();
  const [{ stages, requests }, change] = useViewState(storageView);
  const ofDevices = useMemo(() => withDeviceLatency(view), [view]);
  const windowHeight = useWindowHeight();
  const height = frame === "phone" ? 260 : Math.min(320, Math.max(200, windowHeight - 120 - 450));
  return (
    <aside className="results" aria-label="Results">
      <ServicePanel view={view} hasQueues={view.layout.devices[device]?.kind !== "constant-capacity"} />
      <section className="panel latency" aria-labelledby="device-latency-title">
        <header>
          <h2 id="device-latency-title">
            Device latency <span className="note">share of requests slower than</span>
          </h2>
        </header>
        <LatencyChart run={ofDevices} of={DEVICE_LATENCY} height={height} stamp={stamp} />
      </section>
      <StagesPanel
        statistic={stages}
        operation={requests}
        inDevice
        onChange={({ statistic, operation }) =>
          change({ ...(statistic && { stages: statistic }), ...(operation && { requests: operation }) })
        }
      />
    </aside>
  );
}

/** A run as it is, with the latency in devices in place of that of requests. */
const withDeviceLatency = (view: RunView): RunView =>
  Object.create(view, { latency: { get: () => view.deviceLatency } }) as RunView;
