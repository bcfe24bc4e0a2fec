import { classIdentity } from "../ui/classes.ts";
import { ClassMarker } from "./ClassMarker.tsx";
import { type Deadline, fullShare } from "./deadlines.ts";
import { formatDuration, formatPercent } from "./format.ts";
import type { ChartClass } from "./types.ts";

interface DeadlineBarsProps {
  readonly classes: readonly ChartClass[];
  readonly deadlines: readonly Deadline[];
  /** What "lately" means, e.g. "last 1 ms". */
  readonly lately: string;
}

/** Share of requests beyond the target, a bar for each class, since warm-up and lately; one scale for all bars. */
export function DeadlineBars({ classes, deadlines, lately }: DeadlineBarsProps) {
  const full = fullShare(deadlines);
  return (
    <table className="stage-matrix deadline-bars">
      <thead>
        <tr>
          <td />
          <th scope="col">target</th>
          <th scope="col">since warm-up</th>
          <th scope="col">{lately}</th>
        </tr>
      </thead>
      <tbody>
        {deadlines.map(({ classIndex, targetUs, missed, missedNow }) => {
          const item = classes[classIndex];
          if (!item) return null;
          const { label, mark } = classIdentity(item.kindIndex);
          return (
            <tr key={item.name}>
              <th scope="row" style={{ color: label }}>
                <span>
                  <ClassMarker kindIndex={item.kindIndex} />
                  <b title={item.name}>{item.name}</b>
                </span>
              </th>
              <td>{formatDuration(targetUs)}</td>
              {[missed, missedNow].map((share, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: always these two
                <td key={i}>
                  <span>
                    {Number.isFinite(share) && (
                      <i
                        style={{
                          width: `calc((100% - 56px) * ${(share / full).toFixed(4)})`,
                          background: mark,
                        }}
                      />
                    )}
                    {formatPercent(share)}
                  </span>
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
