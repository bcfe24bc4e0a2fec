import type { RunClass } from "../../run/types.ts";
import { classIdentity } from "../../ui/classes.ts";
import { fixed, formatPercent } from "../drawing/format.ts";
import { ClassMarker } from "../frame/ClassMarker.tsx";
import "./ServiceShare.css";

interface ServiceShareProps {
  readonly classes: readonly RunClass[];
  /** Requests of each class that were done lately. */
  readonly requests: readonly number[];
  /** What arbitration aims at for each class; null where it follows no class. */
  readonly weights: readonly number[] | null;
}

/** What of the service each class gets, as one bar, with ticks where weights would cut it; the same as a table. */
export function ServiceShare({ classes, requests, weights }: ServiceShareProps) {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const total = sum(requests);
  const whole = weights ? sum(weights) : 1;
  const cuts = weights?.slice(0, -1).map((_, i) => sum(weights.slice(0, i + 1)) / whole) ?? [];
  return (
    <div className="service-share">
      <div className="service-bar" aria-hidden="true">
        {classes.map(({ name, kindIndex }, i) => (
          <i
            key={name}
            style={{
              width: `${total > 0 ? ((requests[i] ?? 0) / total) * 100 : 0}%`,
              background: classIdentity(kindIndex).mark,
            }}
          />
        ))}
        {cuts.map((cut, i) => (
          <b key={classes[i]?.name} style={{ left: `${cut * 100}%` }} />
        ))}
      </div>
      <table>
        <caption className="visually-hidden">
          Share of the requests done lately, and what the weights aim at
        </caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">class</th>
            <th scope="col">share</th>
            <th scope="col">requests</th>
            {weights && <th scope="col">by weight</th>}
          </tr>
        </thead>
        <tbody>
          {classes.map(({ name, kindIndex }, i) => (
            <tr key={name}>
              <th scope="row" style={{ color: classIdentity(kindIndex).label }}>
                <span>
                  <ClassMarker kindIndex={kindIndex} />
                  <b title={name}>{name}</b>
                </span>
              </th>
              <td>
                {weights ? (
                  <>
                    <b>{fixed(total > 0 ? ((requests[i] ?? 0) / total) * whole : Number.NaN, 2)}</b>{" "}
                    <span className="note">of {whole}</span>
                  </>
                ) : (
                  <b>{formatPercent(total > 0 ? (requests[i] ?? 0) / total : Number.NaN)}</b>
                )}
              </td>
              <td className="note">{fixed(requests[i] ?? 0, 0)} done</td>
              {weights && <td className="note">weight {Number((weights[i] ?? 0).toFixed(2))}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
