import { formatMilliseconds } from "../charts/drawing/format.ts";
import { download, fileName, type NumberTable, rowsOf, toCsv } from "../charts/frame/export.ts";
import { noteLine } from "../charts/notes/notes.ts";
import type { NoteMark } from "../charts/types.ts";
import type { Session } from "../engine/run/session.ts";
import { noteMarks } from "../panels/noting.ts";
import type { RunView } from "../run/types.ts";
import { stampOf } from "./stamp.ts";

/**
 * Every sample so far, in the columns that the command line writes: those of classes end in the name of their class. With what is
 * noted of the run.
 */
export function samplesOf(
  { layout, columns, classes, n, nowUs }: RunView,
  notes: readonly NoteMark[] = [],
): NumberTable {
  const named = (column: string) => column.replace(/\.(\d+)$/, (_, i) => `.${classes[Number(i)]?.name ?? i}`);
  return {
    title: `Samples up to ${formatMilliseconds(nowUs)} ms`,
    ...(notes.length > 0 && { notes: notes.map(noteLine) }),
    columns: layout.sampleColumns.map((column) => ({
      name: named(column),
      values: columns[column]?.subarray(0, n) ?? new Float64Array(n).fill(Number.NaN),
    })),
  };
}

/** Hands the samples of the run over as a file of text. */
export function exportCsv({ scenario, run }: Session): void {
  const { view } = run.getState();
  if (!view) return;
  const stamp = stampOf(scenario, view.layout);
  download(
    fileName(stamp, "run", "csv"),
    toCsv(rowsOf(samplesOf(view, noteMarks(scenario))), stamp),
    "text/csv",
  );
}

/** Hands them over as a file that programs for data read at once, and with every digit. */
export async function exportParquet({ scenario, run }: Session): Promise<void> {
  const { toParquet } = await import("../charts/frame/parquet.ts");
  const { view } = run.getState();
  if (!view) return;
  const stamp = stampOf(scenario, view.layout);
  const type = "application/vnd.apache.parquet";
  download(
    fileName(stamp, "run", "parquet"),
    new Blob([toParquet(samplesOf(view, noteMarks(scenario)), stamp)], { type }),
  );
}

/** Hands what the engine sums up of the run over as a file. */
export async function exportJson(session: Session): Promise<void> {
  const json = await session.summary();
  const { view } = session.run.getState();
  if (json === null || !view) return;
  const summary = JSON.parse(json) as { engine: object };
  const signed = { ...summary, engine: { ...summary.engine, version: view.layout.version } };
  const name = fileName(stampOf(session.scenario, view.layout), "run", "json");
  download(name, `${JSON.stringify(signed, null, 2)}\n`, "application/json");
}
