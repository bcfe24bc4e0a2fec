import { classIdentity } from "../ui/classes.ts";
import { ClassMarker } from "./ClassMarker.tsx";
import { fixed } from "./format.ts";
import type { StageMatrixProps } from "./types.ts";

/** Where the time goes: stage by class, every cell a bar from a common zero with its number, one scale for all. */
export function StageMatrix({ classes, stages, totalsUs, statistic, inMs }: StageMatrixProps) {
  const largest = Math.max(0, ...stages.flatMap((stage) => stage.valuesUs.filter(Number.isFinite)));
  const write = (us: number) => (inMs ? fixed(us / 1000, 2) : fixed(us, 0));
  return (
    <table className="stage-matrix">
      <caption className="chart-hidden">
        Time of a request by stage and class, {statistic}, in {inMs ? "milliseconds" : "microseconds"}
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
                          width: `calc((100% - 40px) * ${share.toFixed(4)})`,
                          background: classIdentity(item.kindIndex).mark,
                        }}
                      />
                    )}
                    {write(us)}
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
            <td key={item.name}>{write(totalsUs[i] ?? Number.NaN)}</td>
          ))}
        </tr>
      </tfoot>
    </table>
  );
}
