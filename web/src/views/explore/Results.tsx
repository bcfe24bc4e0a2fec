import { useMemo } from "react";
import { LatencyChart } from "../../charts/index.ts";
import { ConvergencePanel } from "../../panels/ConvergencePanel.tsx";
import { useEffectiveScenario, useRun, useSession } from "../../panels/context.tsx";
import { DeadlinesPanel } from "../../panels/DeadlinesPanel.tsx";
import { LatencyNotes } from "../../panels/LatencyNotes.tsx";
import { NotificationsPanel } from "../../panels/NotificationsPanel.tsx";
import { NowTable } from "../../panels/NowTable.tsx";
import { LockNote, Settings } from "../../panels/Settings.tsx";
import { StagesPanel } from "../../panels/StagesPanel.tsx";
import { deadlinesOf } from "../../scenario/classes.ts";
import { isRateBased, transportOf } from "../../scenario/transports.ts";
import { Deferred } from "../../ui/Deferred.tsx";
import type { Frame } from "../../ui/media.ts";
import { late } from "../../ui/onDemand.tsx";
import { useHeight } from "../../ui/useHeight.ts";
import { action } from "../../workbench/actions.ts";
import { useStamp } from "../../workbench/stamp.ts";
import { exploreView } from "../../workbench/state/exploreView.ts";
import { useShown, useViewState, useViews } from "../../workbench/view/viewContext.tsx";
import { Story } from "./Story.tsx";
import "./Results.css";

const ReplayedLatency = late(() => import("./ReplayedLatency.tsx"));

/** Least height of the latency chart: beside the stages of a device, beside those of the network alone, one below the other. */
const MIN_LATENCY_HEIGHT = { devices: 164, network: 220, column: 320, phone: 260 };

/** The verdict: figures now, latency, where the time goes. */
export function Results({ frame }: { readonly frame: Frame }) {
  const view = useRun((run) => run.view);
  const shown = useEffectiveScenario();
  const stamp = useStamp();
  const parts = useShown();
  const [{ stages, requests }, change] = useViewState(exploreView);
  const session = useSession();
  const views = useViews();
  const follow = () => action("follow").perform(session, views);
  const deadlines = useMemo(() => deadlinesOf(shown), [shown]);
  const replays = shown.workloads.some(({ traffic }) => traffic.kind === "trace");
  const Latency = replays ? ReplayedLatency : LatencyChart;
  const rdma = shown.classes.some((_, i) => isRateBased(transportOf(shown, i)));
  const beside = view && view.layout.devices.length > 0 ? "devices" : "network";
  const least = MIN_LATENCY_HEIGHT[frame === "column" || frame === "phone" ? frame : beside];
  const [room, height] = useHeight(least);
  return (
    <aside className="results explore-results" aria-label="Results">
      {frame === "tablet" && parts.settings && (
        <Settings>
          <LockNote />
          <Story />
        </Settings>
      )}
      <Deferred>
        <NowTable />
        <ConvergencePanel />
      </Deferred>
      <section className="panel latency" aria-labelledby="latency-title">
        <header>
          <h2 id="latency-title">
            Request latency <span className="note">share of requests slower than</span>
          </h2>
        </header>
        {view && (
          <Deferred>
            <LatencyNotes />
          </Deferred>
        )}
        <div ref={room} className="latency-room" style={{ flexBasis: least }}>
          {/* After what stands below, which takes its room first. */}
          {view && (
            <Deferred>
              <Deferred>
                <Latency run={view} height={height} deadlines={deadlines} stamp={stamp} />
              </Deferred>
            </Deferred>
          )}
        </div>
      </section>
      {deadlines.length > 0 && <DeadlinesPanel />}
      {rdma && <NotificationsPanel />}
      <Deferred>
        <StagesPanel
          statistic={stages}
          operation={requests}
          onFollow={follow}
          onChange={({ statistic, operation }) =>
            change({ ...(statistic && { stages: statistic }), ...(operation && { requests: operation }) })
          }
        />
      </Deferred>
    </aside>
  );
}
