import { useMemo } from "react";
import { LatencyChart } from "../charts/index.ts";
import { ConvergencePanel } from "../panels/ConvergencePanel.tsx";
import { useEffectiveScenario, useRun } from "../panels/context.tsx";
import { DeadlinesPanel } from "../panels/DeadlinesPanel.tsx";
import { LatencyNotes } from "../panels/LatencyNotes.tsx";
import { NotificationsPanel } from "../panels/NotificationsPanel.tsx";
import { NowTable } from "../panels/NowTable.tsx";
import { StagesPanel } from "../panels/StagesPanel.tsx";
import { deadlinesOf } from "../scenario/classes.ts";
import { isRateBased, transportOf } from "../scenario/transports.ts";
import { Deferred } from "../ui/Deferred.tsx";
import { type Frame, useWindowHeight } from "../ui/media.ts";
import { exploreView } from "./exploreView.ts";
import { useStamp } from "./MainPane.tsx";
import { useViewState } from "./viewContext.tsx";
import "./Results.css";

/** Heights of a panel of bars: what stands around the rows, and a row. */
const BARS_HEAD = 72;
const BARS_ROW = 24;

/** What the stages of devices add to those of the network. */
const STAGES_OF_DEVICES = 5 * BARS_ROW + 30;

/** The verdict: figures now, latency, where the time goes. */
export function Results({ frame }: { readonly frame: Frame }) {
  const view = useRun((run) => run.view);
  const shown = useEffectiveScenario();
  const stamp = useStamp();
  const [{ stages, requests }, change] = useViewState(exploreView);
  const windowHeight = useWindowHeight();
  const deadlines = useMemo(() => deadlinesOf(shown), [shown]);
  const rdma = shown.classes.filter((_, i) => isRateBased(transportOf(shown, i))).length;
  const rows = [deadlines.length, rdma];
  const bars = rows.reduce((sum, count) => sum + (count === 0 ? 0 : BARS_HEAD + BARS_ROW * count), 0);
  const stagesOfDevices = view && view.layout.devices.length > 0 ? STAGES_OF_DEVICES : 0;
  const room = windowHeight - 120 - 460 - bars - stagesOfDevices;
  const least = stagesOfDevices > 0 ? 164 : 220;
  const height = frame === "phone" ? 260 : Math.min(400, Math.max(least, room));
  return (
    <aside className="results" aria-label="Results">
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
            <LatencyChart run={view} height={height} deadlines={deadlines} stamp={stamp} />
          </Deferred>
        )}
      </section>
      {deadlines.length > 0 && <DeadlinesPanel />}
      {rdma > 0 && <NotificationsPanel />}
      <Deferred>
        <StagesPanel
          statistic={stages}
          operation={requests}
          onChange={({ statistic, operation }) =>
            change({ ...(statistic && { stages: statistic }), ...(operation && { requests: operation }) })
          }
        />
      </Deferred>
    </aside>
  );
}
