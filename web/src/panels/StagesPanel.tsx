import { StageMatrix } from "../charts/latency/StageMatrix.tsx";
import { hasOperation, stageSentence, stageTable } from "../charts/latency/stageTable.ts";
import { type Operation, STATISTICS, type Statistic } from "../run/stages.ts";
import type { RunView } from "../run/types.ts";
import { Button } from "../ui/Button.tsx";
import { Segmented } from "../ui/Segmented.tsx";
import { useRun } from "./context.tsx";
import "./StagesPanel.css";

const STATISTIC_TITLES: Readonly<Record<Statistic, string>> = { mean: "mean", p99: "slowest 1 %" };

const OPERATION_ORDER: readonly Operation[] = ["all", "reads", "writes"];

export interface StageChoice {
  readonly statistic: Statistic;
  readonly operation: Operation;
}

interface StagesPanelProps extends StageChoice {
  readonly onChange: (choice: Partial<StageChoice>) => void;
  /** Only what happens in the device. */
  readonly inDevice?: boolean;
  /** Shows one request on its way. */
  readonly onFollow?: () => void;
}

/** From this total on the whole matrix is in milliseconds. */
const IN_MS_FROM_US = 10_000;

/** The operation that is shown: the chosen one where both exist, else all there are. */
const possible = (view: RunView | null, wanted: Operation): Operation =>
  view && hasOperation(view, "reads") && hasOperation(view, "writes") ? wanted : "all";

/** Where the time of a request goes, stage by class. */
export function StagesPanel({
  statistic,
  operation,
  onChange,
  inDevice = false,
  onFollow,
}: StagesPanelProps) {
  const hasBoth = useRun(
    ({ view }) => view !== null && hasOperation(view, "reads") && hasOperation(view, "writes"),
  );
  const inMs = useRun(({ view }) => {
    if (!view) return false;
    const { totalsUs } = stageTable(view, { operation: possible(view, operation), statistic, inDevice });
    return totalsUs.some((us) => us >= IN_MS_FROM_US);
  });
  const unit = inMs ? "ms" : "µs";
  return (
    <section className="panel stages" aria-labelledby="stages-title">
      <header>
        <h2 id="stages-title">
          Where the time goes <span className="note">{inDevice ? `${unit} in devices` : unit}</span>
        </h2>
        <Segmented
          label="Statistic"
          value={statistic}
          options={STATISTICS.map((value) => ({ value, title: STATISTIC_TITLES[value] }))}
          onChange={(next) => onChange({ statistic: next })}
        />
      </header>
      {hasBoth && (
        <Segmented
          label="Requests"
          value={operation}
          options={OPERATION_ORDER.map((value) => ({ value, title: value }))}
          onChange={(next) => onChange({ operation: next })}
        />
      )}
      <Stages statistic={statistic} operation={operation} inMs={inMs} inDevice={inDevice} />
      {onFollow && (
        <footer>
          <Button look="link" onClick={onFollow}>
            Follow one request
          </Button>
        </footer>
      )}
    </section>
  );
}

/** The figures themselves, which alone are rendered as the run goes on. */
function Stages({
  statistic,
  operation,
  inMs,
  inDevice,
}: StageChoice & { readonly inMs: boolean; readonly inDevice: boolean }) {
  const view = useRun((run) => run.view);
  useRun((run) => run.tick);
  if (!view) return null;
  const shown = possible(view, operation);
  const table = stageTable(view, { operation: shown, statistic, inDevice });
  const caption = `${STATISTIC_TITLES[statistic]}${shown === "all" ? "" : ` of ${shown}`}`;
  return (
    <>
      <StageMatrix classes={view.classes} statistic={caption} {...table} inMs={inMs} />
      <p className="visually-hidden">{stageSentence(view, table)}</p>
    </>
  );
}
