import { useSyncExternalStore } from "react";
import { classIdentity } from "../../ui/classes.ts";
import { formatMilliseconds } from "../drawing/format.ts";
import { ClassMarker } from "../frame/ClassMarker.tsx";
import type { TimeChartProps } from "../types.ts";
import type { ChartModel } from "./chartModel.ts";
import "./ReadoutPopover.css";

/** Values under the time cursor. Stands beside the cursor line, on the side with more room, and lets the pointer through. */
export function ReadoutPopover(
  props: TimeChartProps & { readonly model: ChartModel; readonly line: number | null },
) {
  const { run, cursor, model, gutters, domainUs, line: pointed } = props;
  const sample = useSyncExternalStore(cursor.subscribe, cursor.get);
  if (sample === null || sample >= run.n) return null;
  const us = run.timeUs[sample] as number;
  const share = (us - domainUs[0]) / (domainUs[1] - domainUs[0]);
  const line = `calc(${gutters.left}px + (100% - ${gutters.left + gutters.right}px) * ${share})`;
  const side = share > 0.5 ? { right: `calc(100% - ${line} + 10px)` } : { left: `calc(${line} + 10px)` };
  const { columns, rows } = model.readout(sample, pointed);
  const { baseRttUs } = run.layout;
  return (
    <div className="chart-readout" style={side} aria-live="polite">
      <table>
        <caption>
          <span>
            <b>{formatMilliseconds(us)} ms</b>
            {baseRttUs > 0 && <span>RTT {Math.floor(us / baseRttUs)}</span>}
          </span>
        </caption>
        <thead>
          <tr>
            <td />
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">
                {row.kindIndex !== null && <ClassMarker kindIndex={row.kindIndex} />}
                <span
                  style={row.kindIndex === null ? undefined : { color: classIdentity(row.kindIndex).label }}
                >
                  {row.name}
                </span>
              </th>
              {row.values.map((value, i) => (
                <td key={columns[i] ?? i}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
