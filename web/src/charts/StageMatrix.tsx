import { classIdentity } from "../ui/classes.ts";
import { ClassMarker } from "./ClassMarker.tsx";
import { formatLatency } from "./format.ts";
import type { StageMatrixProps } from "./types.ts";

/** Where the time goes: stage by class, every cell a bar from a common zero with its number, one scale for all. */
export function StageMatrix({ classes, stages, totalsUs, statistic }: StageMatrixProps) {
  const largest = Math.max(0, ...stages.flatMap((stage) => stage.valuesUs.filter(Number.isFinite)));
  // Beside the longest bar there must be room for its number, which from 10 000 µs on is in ms and says so.
  const room = largest < 10_000 ? 40 : 54;
  return (
    <table className="stage-matrix">
      <caption className="chart-hidden">
        Time of a request by stage and class, {statistic}, in microseconds
      </caption>
      <colgroup>
        <col />
        <col span={classes.length} />
      </colgroup>
      <thead>
        <tr>
          <td />
          {classes.map((item) => (
            <th key={item.name} scope="col" style={{ color: classIdentity(item.kindIndex).label }}>
              <span>
                <ClassMarker kindIndex={item.kindIndex} />
                <b title={item.name}>{item.name}</b>
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {stages.map((stage) => (
          <tr key={stage.name}>
            <th scope="row" title={stage.hint}>
              {stage.name}
            </th>
            {classes.map((item, i) => {
              const us = stage.valuesUs[i] ?? Number.NaN;
              const share = Number.isFinite(us) && largest > 0 ? us / largest : 0;
              return (
                <td key={item.name}>
                  <span>
                    {Number.isFinite(us) && (
                      <i
                        style={{
                          width: `calc((100% - ${room}px) * ${share.toFixed(4)})`,
                          background: classIdentity(item.kindIndex).mark,
                        }}
                      />
                    )}
                    {formatLatency(us)}
                  </span>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          {classes.map((item, i) => (
            <td key={item.name}>{formatLatency(totalsUs[i] ?? Number.NaN)}</td>
          ))}
        </tr>
      </tfoot>
    </table>
  );
}
