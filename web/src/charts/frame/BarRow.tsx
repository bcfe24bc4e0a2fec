import { classIdentity } from "../../ui/classes.ts";
import { formatPercent } from "../drawing/format.ts";
import { ClassMarker } from "./ClassMarker.tsx";
import "./BarRow.css";

interface ClassHeadProps {
  readonly name: string;
  readonly kindIndex: number;
  readonly scope?: "row" | "col";
}

/** The head of a class's row, or column, in a table. */
export function ClassHead({ name, kindIndex, scope = "row" }: ClassHeadProps) {
  return (
    <th scope={scope} style={{ color: classIdentity(kindIndex).label }}>
      <span>
        <ClassMarker kindIndex={kindIndex} />
        <b title={name}>{name}</b>
      </span>
    </th>
  );
}

interface BarCellProps {
  readonly kindIndex: number;
  /** What is written. Not-a-number: nothing is known. */
  readonly share: number;
  /** The share whose bar is as long as the cell allows. */
  readonly full?: number;
}

/** A share as a bar in the colour of its class, and in words. */
export function BarCell({ kindIndex, share, full = 1 }: BarCellProps) {
  const width = `calc((100% - 56px) * ${(share / full).toFixed(4)})`;
  return (
    <td>
      <span>
        {Number.isFinite(share) && <i style={{ width, background: classIdentity(kindIndex).mark }} />}
        {formatPercent(share)}
      </span>
    </td>
  );
}
