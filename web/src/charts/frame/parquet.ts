import { parquetWriteBuffer } from "hyparquet-writer";
import type { ExportStamp } from "../types.ts";
import type { ColumnTable } from "./export.ts";

/** Apache Parquet, with the origin and what is noted among the file's key-value metadata. What does not apply is null. */
export function toParquet({ title, columns, notes = [] }: ColumnTable, stamp: ExportStamp): ArrayBuffer {
  return parquetWriteBuffer({
    columnData: columns.map(({ name, values }) =>
      values instanceof Float64Array
        ? {
            name,
            type: "DOUBLE",
            data: Array.from(values, (value) => (Number.isFinite(value) ? value : null)),
          }
        : { name, type: "STRING", data: values.map((value) => (value === "" ? null : value)) },
    ),
    kvMetadata: Object.entries({
      title,
      ...stamp,
      ...(notes.length > 0 && { notes: notes.join("\n") }),
    }).map(([key, value]) => ({ key, value: String(value) })),
    createdBy: `QoScope version ${stamp.engineVersion}`,
  });
}
