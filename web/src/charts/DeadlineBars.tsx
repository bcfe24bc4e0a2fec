import { BarCell, ClassHead } from "./BarRow.tsx";
import { type Deadline, fullShare } from "./deadlines.ts";
import { formatDuration } from "./format.ts";
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
          const { name, kindIndex } = item;
          return (
            <tr key={name}>
              <ClassHead name={name} kindIndex={kindIndex} />
              <td>{formatDuration(targetUs)}</td>
              <BarCell kindIndex={kindIndex} share={missed} full={full} />
              <BarCell kindIndex={kindIndex} share={missedNow} full={full} />
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
