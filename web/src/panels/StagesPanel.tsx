import { StageMatrix } from "../charts/StageMatrix.tsx";
import { figure } from "../run/read.ts";
import { Segmented } from "../ui/Segmented.tsx";
import { useRun } from "./context.tsx";

/** What of the times of all requests may be shown. */
export const STATISTICS = ["mean", "p99"] as const;
export type Statistic = (typeof STATISTICS)[number];

const COLUMNS = {
  mean: { host: "hostQueueMeanUs", network: "networkMeanUs", total: "meanUs" },
  p99: { host: "hostQueueP99Us", network: "networkP99Us", total: "p99Us" },
} as const;

interface StagesPanelProps {
  readonly statistic: Statistic;
  readonly onStatistic: (statistic: Statistic) => void;
}

/** Where the time of a request goes, stage by class. */
export function StagesPanel({ statistic, onStatistic }: StagesPanelProps) {
  const view = useRun((run) => run.view);
  useRun((run) => run.tick);
  const columns = COLUMNS[statistic];
  const values = (name: string) => view?.classes.map((_, i) => figure(view, i, name)) ?? [];
  const totals = values(columns.total);
  const inMs = totals.some((us) => us >= 10_000);
  return (
    <section className="panel" aria-labelledby="stages-title">
      <header>
        <h2 id="stages-title">
          Where the time goes <span className="note">{inMs ? "ms" : "µs"}</span>
        </h2>
        <Segmented
          label="Statistic"
          value={statistic}
          options={STATISTICS.map((value) => ({ value, title: value }))}
          onChange={onStatistic}
        />
      </header>
      {view && (
        <StageMatrix
          classes={view.classes}
          statistic={statistic}
          stages={[
            {
              name: "Host send queue",
              valuesUs: values(columns.host),
              hint: "From the arrival of a request to its first byte on the wire.",
            },
            {
              name: "Fabric",
              valuesUs: values(columns.network),
              hint: "From the first byte on the wire to the last byte delivered.",
            },
          ]}
          totalsUs={totals}
          inMs={inMs}
        />
      )}
      {statistic === "p99" && (
        <p className="note">The stages’ p99 do not add up: they are of different requests.</p>
      )}
    </section>
  );
}
