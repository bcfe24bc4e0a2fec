import { useMemo } from "react";
import { ServiceShare } from "../../charts/device/ServiceShare.tsx";
import { formatDuration } from "../../charts/drawing/format.ts";
import { LatencyChart } from "../../charts/index.ts";
import { useExplanation, useRun } from "../../panels/context.tsx";
import { StagesPanel } from "../../panels/StagesPanel.tsx";
import { requestsLately } from "../../run/service.ts";
import type { RunView } from "../../run/types.ts";
import { type Frame, useWindowHeight } from "../../ui/media.ts";
import { storageView } from "../../workbench/state/storageView.ts";
import { useViewState } from "../../workbench/view/viewContext.tsx";
import { useStamp } from "../frame/MainPane.tsx";

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

/** Of the requests that were done lately, how many were of which class; against the weights. */
export function ServicePanel({ view, hasQueues }: { readonly view: RunView; readonly hasQueues: boolean }) {
  useRun((run) => run.tick);
  const explanation = useExplanation();
  const weights = hasQueues ? explanation.queues.classWeights : null;
  const { requests, us } = requestsLately(view);
  const blind = explanation.of("storage.nvme.highWeight")?.noEffect?.reason;
  const several = view.layout.devices.length > 1 ? ", all devices" : "";
  return (
    <section className="panel service" aria-labelledby="service-title">
      <header>
        <h2 id="service-title">
          Service share{" "}
          <span className="note">
            requests done, last {formatDuration(us, 2)}
            {several}
          </span>
        </h2>
      </header>
      <ServiceShare classes={view.classes} requests={requests} weights={weights} />
      <p className="note">
        {!hasQueues
          ? "No weights to compare with: a server of constant capacity has no NVMe queues, and the scheduler of tenants has weights of its own."
          : weights
            ? `Ticks: the weights ${weights.map((weight) => Number(weight.toFixed(2))).join(" : ")}`
            : `No weights to compare with${blind ? `: ${blind}` : ""}.`}
      </p>
    </section>
  );
}
