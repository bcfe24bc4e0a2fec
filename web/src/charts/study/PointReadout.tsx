import type { StudyTable } from "../../generated/answers.d.ts";
import { classIdentity } from "../../ui/classes.ts";
import { ClassMarker } from "../frame/ClassMarker.tsx";
import { intervalText, pointText } from "./studyTable.ts";
import { numberText } from "./studyText.ts";
import "../time/ReadoutPopover.css";
import "./StudyChart.css";

interface PointReadoutProps {
  readonly table: StudyTable;
  /** The point, by its place. */
  readonly place: number;
  /** The measures that are read, by their places, and the identity of the class of each. */
  readonly measures: readonly { readonly measure: number; readonly kindIndex: number | null }[];
  /** Where it stands in the picture. */
  readonly x: number;
  readonly y?: number;
  readonly width: number;
}

/** The numbers of a point: mean, interval, seeds; or why it has none. Stands on the side with more room. */
export function PointReadout({ table, place, measures, x, y = 20, width }: PointReadoutProps) {
  const point = table.points[place];
  if (!point) return null;
  const { refused, seeds, wanted, cells, isAdded } = point;
  const side = x > width / 2 ? { right: width - x + 14 } : { left: x + 14 };
  const count = seeds < wanted ? `${seeds} of ${wanted} seeds` : `${seeds} ${seeds === 1 ? "seed" : "seeds"}`;
  return (
    <div className="chart-readout study-readout" style={{ ...side, top: y }} aria-live="polite">
      <table>
        <caption>
          <span>
            <b>{pointText(table, point)}</b>
            {refused === null && <span>{count}</span>}
          </span>
        </caption>
        {refused === null && (
          <>
            <thead>
              <tr>
                <td />
                <th scope="col">mean</th>
                <th scope="col">95 % interval</th>
              </tr>
            </thead>
            <tbody>
              {measures.map(({ measure, kindIndex }) => {
                const { title = "", unit = null } = table.measures[measure] ?? {};
                const cell = cells[measure];
                const mean = cell?.mean ?? null;
                return (
                  <tr key={title}>
                    <th scope="row">
                      {kindIndex !== null && <ClassMarker kindIndex={kindIndex} />}
                      <span
                        style={kindIndex === null ? undefined : { color: classIdentity(kindIndex).label }}
                      >
                        {title}
                      </span>
                    </th>
                    <td>{mean === null ? (cell?.why ?? "–") : numberText(unit, mean)}</td>
                    <td>{cell && intervalText(unit, cell)}</td>
                  </tr>
                );
              })}
            </tbody>
          </>
        )}
      </table>
      {refused !== null && <p>Refused: {refused}. No run was made.</p>}
      <p className="study-tap">Tap again: open or compare.</p>
      {isAdded && <p>Added, because the curve bends here.</p>}
    </div>
  );
}
