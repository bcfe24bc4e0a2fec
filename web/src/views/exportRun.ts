import { download, fileName, type Tabular, toCsv } from "../charts/export.ts";
import { formatMilliseconds } from "../charts/format.ts";
import type { Session } from "../engine/session.ts";
import type { RunView } from "../run/types.ts";
import { stampOf } from "./MainPane.tsx";

/** Every sample so far, in the columns that the command line writes: those of classes end in the name of their class. */
export function seriesOf({ layout, columns, classes, n, nowUs }: RunView): Tabular {
  const named = (column: string) => column.replace(/\.(\d+)$/, (_, i) => `.${classes[Number(i)]?.name ?? i}`);
  function* rows() {
    for (let i = 0; i < n; i++) yield layout.sampleColumns.map((name) => columns[name]?.[i] ?? Number.NaN);
  }
  return {
    title: `Samples up to ${formatMilliseconds(nowUs)} ms`,
    headers: layout.sampleColumns.map(named),
    rows: rows(),
  };
}

/** Hands the samples of the run over as a file. */
export function exportCsv({ scenario, run }: Session): void {
  const { view } = run.getState();
  if (!view) return;
  const stamp = stampOf(scenario, view.layout);
  download(fileName(stamp, "run", "csv"), toCsv(seriesOf(view), stamp), "text/csv");
}

/** Hands what the engine sums up of the run over as a file. */
export async function exportJson(session: Session): Promise<void> {
  const json = await session.summary();
  const { view } = session.run.getState();
  if (json === null || !view) return;
  const text = `${JSON.stringify(JSON.parse(json), null, 2)}\n`;
  download(fileName(stampOf(session.scenario, view.layout), "run", "json"), text, "application/json");
}
