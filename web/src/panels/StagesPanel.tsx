import { StageMatrix } from "../charts/StageMatrix.tsx";
import { figure } from "../run/read.ts";
import type { RunView } from "../run/types.ts";
import { Segmented } from "../ui/Segmented.tsx";
import { useRun } from "./context.tsx";

/** What of the times of all requests may be shown. */
export const STATISTICS = ["mean", "p99"] as const;
export type Statistic = (typeof STATISTICS)[number];

const COLUMNS = {
  mean: { host: "hostQueueMeanUs", command: "commandMeanUs", network: "networkMeanUs", total: "meanUs" },
  p99: { host: "hostQueueP99Us", command: "commandP99Us", network: "networkP99Us", total: "p99Us" },
} as const;

interface StagesPanelProps {
  readonly statistic: Statistic;
  readonly onStatistic: (statistic: Statistic) => void;
}

/** Values of a column of figures, by class. */
const figures = (view: RunView, name: string) => view.classes.map((_, i) => figure(view, i, name));

/** Where the time of a request goes, stage by class. */
export function StagesPanel({ statistic, onStatistic }: StagesPanelProps) {
  const inMs = useRun(
    ({ view }) => view !== null && figures(view, COLUMNS[statistic].total).some((us) => us >= 10_000),
  );
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
      <Stages statistic={statistic} inMs={inMs} />
      {statistic === "p99" && (
        <p className="note">The stages’ p99 do not add up: they are of different requests.</p>
      )}
    </section>
  );
}

/** The figures themselves, which alone are rendered with every frame. */
function Stages({ statistic, inMs }: { readonly statistic: Statistic; readonly inMs: boolean }) {
  const view = useRun((run) => run.view);
  useRun((run) => run.tick);
  if (!view) return null;
  const columns = COLUMNS[statistic];
  const commandsUs = figures(view, columns.command);
  const commands = {
    name: "Command of reads",
    valuesUs: commandsUs,
    hint: "From the first byte of the command on the wire to its target having it.",
  };
  return (
    <StageMatrix
      classes={view.classes}
      statistic={statistic}
      stages={[
        {
          name: "Host send queue",
          valuesUs: figures(view, columns.host),
          hint: "From the arrival of a request to its first byte on the wire.",
        },
        ...(commandsUs.some(Number.isFinite) ? [commands] : []),
        {
          name: "Fabric",
          valuesUs: figures(view, columns.network),
          hint: "From the first byte on the wire, or the target having the command of a read, to the last byte delivered.",
        },
      ]}
      totalsUs={figures(view, columns.total)}
      inMs={inMs}
    />
  );
}
