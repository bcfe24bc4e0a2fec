import { useEffect, useState } from "react";
import { samplesUntilNow } from "../../run/read.ts";
import type { RunView } from "../../run/types.ts";
import { formatMilliseconds } from "../drawing/format.ts";
import { ChartTable } from "../frame/ChartTable.tsx";
import type { TableColumn } from "./chartModel.ts";

const ROWS = 240;

interface TimeTableProps {
  readonly run: RunView;
  readonly title: string;
  readonly columns: readonly TableColumn[];
  readonly onClose: () => void;
}

/** The chart as a real table: at most 240 evenly spaced samples (the CSV file has all), newest last. */
export function TimeTable({ run, title, columns, onClose }: TimeTableProps) {
  const [shown, setShown] = useState(() => samplesUntilNow(run));
  // New samples are taken in at most every two seconds: a table is for reading.
  useEffect(() => {
    const timer = setInterval(() => setShown(samplesUntilNow(run)), 2000);
    return () => clearInterval(timer);
  }, [run]);

  const every = Math.max(1, Math.ceil(shown / ROWS));
  const samples: number[] = [];
  for (let s = 0; s < shown; s += every) samples.push(s);

  return (
    <ChartTable title={title} onClose={onClose}>
      <table>
        <caption>
          <b>{title}</b> {every === 1 ? `${shown} samples` : `every ${every}th of ${shown} samples`}
        </caption>
        <thead>
          <tr>
            <th scope="col">time (ms)</th>
            {columns.map((item) => (
              <th key={item.header} scope="col">
                {item.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {samples.map((s) => (
            <tr key={s}>
              <th scope="row">{formatMilliseconds(run.timeUs[s] as number)}</th>
              {columns.map((item) => (
                <td key={item.header}>{item.format(item.value(s))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ChartTable>
  );
}
