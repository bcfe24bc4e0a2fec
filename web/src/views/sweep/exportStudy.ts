import {
  type ColumnTable,
  download,
  fileName,
  rowsOf,
  type Tabular,
  toCsv,
} from "../../charts/frame/export.ts";
import { tableHeaders, tableRows } from "../../charts/study/studyTable.ts";
import type { ExportStamp } from "../../charts/types.ts";
import type { StudyAnswer, StudyTable } from "../../generated/answers.d.ts";
import type { StudyDocument } from "../../scenario/study.ts";
import type { Scenario } from "../../scenario/types.ts";

/** What of a study is saved. */
export interface StudyExport {
  readonly study: StudyDocument;
  readonly scenario: Scenario;
  readonly table: StudyTable;
  /** Null before it is done. */
  readonly answer: StudyAnswer | null;
  readonly stamp: ExportStamp;
}

/** A file that a study can be saved as. */
export interface StudyFile {
  readonly id: string;
  readonly name: string;
  save(of: StudyExport): void | Promise<void>;
}

/** All of them, in the order of the menu. The pictures of charts are saved from their own menus. */
export const STUDY_FILES: readonly StudyFile[] = [
  {
    id: "points",
    name: "Points as CSV",
    save: (of) => saveText(of, "points", "csv", toCsv(pointsOf(of), of.stamp)),
  },
  {
    id: "runs",
    name: "Every run as CSV",
    save: (of) => saveText(of, "runs", "csv", toCsv(rowsOf(runsOf(of)), of.stamp)),
  },
  {
    id: "parquet",
    name: "Every run as Parquet",
    async save(of) {
      const { toParquet } = await import("../../charts/frame/parquet.ts");
      const type = "application/vnd.apache.parquet";
      const file = new Blob([toParquet(runsOf(of), of.stamp)], { type });
      download(fileName(of.stamp, "runs", "parquet"), file);
    },
  },
  {
    id: "json",
    name: "Study, table and answer as JSON",
    save: (of) => saveText(of, "study", "json", jsonOf(of)),
  },
];

const TYPES = { csv: "text/csv", json: "application/json" } as const;

const saveText = ({ stamp }: StudyExport, what: string, type: keyof typeof TYPES, text: string): void =>
  download(fileName(stamp, what, type), text, TYPES[type]);

/** A row for every point: of each measure its mean with the ends of its interval. */
export const pointsOf = ({ study, table }: StudyExport): Tabular => ({
  title: `${study.title}: means over seeds with 95 % intervals`,
  headers: tableHeaders(table),
  rows: tableRows(table),
});

/** A row for every run: what varies, its seed, and each measure. */
export function runsOf({ study, table }: StudyExport): ColumnTable {
  const { factors, measures, firstSeed, points } = table;
  const runs = points.flatMap((point) =>
    Array.from({ length: Math.max(0, ...point.cells.map(({ numbers }) => numbers.length)) }, (_, at) => ({
      point,
      at,
    })),
  );
  const named = (name: string, unit: string | null) => (unit ? `${name} (${unit})` : name);
  const numbers = (value: (run: (typeof runs)[number]) => unknown): Float64Array =>
    Float64Array.from(runs, (run) => {
      const number = value(run);
      return typeof number === "number" ? number : Number.NaN;
    });
  return {
    title: `${study.title}: every run`,
    columns: [
      ...factors.map(({ title, unit, isWords }, at) => ({
        name: named(title, unit),
        values: isWords
          ? runs.map(({ point }) => String(point.values[at]))
          : numbers(({ point }) => point.values[at]),
      })),
      { name: "seed", values: numbers(({ at }) => firstSeed + at) },
      ...measures.map(({ title, unit }, measure) => ({
        name: named(title, unit),
        values: numbers(({ point, at }) => point.cells[measure]?.numbers[at]),
      })),
    ],
  };
}

/** All of it, with the scenario in the study: the page and the command line open it again. */
export const jsonOf = ({ study, scenario, table, answer }: StudyExport): string =>
  `${JSON.stringify({ study: { ...study, scenario }, table, answer }, null, 2)}\n`;
