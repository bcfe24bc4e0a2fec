import { LatencyChart } from "../charts/index.ts";
import { useRun } from "../panels/context.tsx";
import { NowTable } from "../panels/NowTable.tsx";
import { StagesPanel } from "../panels/StagesPanel.tsx";
import { type Frame, useWindowHeight } from "../ui/media.ts";
import { useStamp } from "./Centre.tsx";

/** The verdict: figures now, latency, where the time goes. */
export function Results({ frame }: { readonly frame: Frame }) {
  const view = useRun((run) => run.view);
  const stamp = useStamp();
  const windowHeight = useWindowHeight();
  const height = frame === "phone" ? 260 : Math.min(400, Math.max(220, windowHeight - 120 - 460));
  return (
    <aside className="results" aria-label="Results">
      <NowTable />
      <section className="panel latency" aria-labelledby="latency-title">
        <header>
          <h2 id="latency-title">
            Request latency <span className="note">share of requests slower than</span>
          </h2>
        </header>
        {view && <LatencyChart run={view} height={height} stamp={stamp} />}
      </section>
      <StagesPanel />
    </aside>
  );
}
