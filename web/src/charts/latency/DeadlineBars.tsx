import type { Deadline } from "../../run/deadlines.ts";
import type { RunClass } from "../../run/types.ts";
import { formatDuration } from "../drawing/format.ts";
import { BarCell, ClassHead } from "../frame/BarRow.tsx";

/** A bar of full length is at least this share, so that a few missed of a thousand do not look like all. */
const MIN_FULL = 0.1;

/** Share that a bar of full length stands for: one scale for all bars. */
export const fullShare = (items: readonly Deadline[]): number =>
  Math.max(
    MIN_FULL,
    ...items.flatMap(({ missed, missedNow }) => [missed, missedNow].filter(Number.isFinite)),
  );

interface DeadlineBarsProps {
  readonly classes: readonly RunClass[];
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
