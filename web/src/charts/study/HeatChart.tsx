import { type KeyboardEvent, type PointerEvent, useMemo, useState } from "react";
import { useWidth } from "../../ui/useWidth.ts";
import { PlainChart } from "../frame/PlainChart.tsx";
import type { ExportStamp } from "../types.ts";
import { cellUnder, drawCellFrame, drawHeat, type HeatPicture, heatFrame, heatSentence } from "./heat.ts";
import { PointReadout } from "./PointReadout.tsx";
import { tableHeaders, tableRows } from "./studyTable.ts";
import { unitText } from "./studyText.ts";
import { usePointing } from "./usePointing.ts";
import { type PointEntries, usePointMenu } from "./usePointMenu.tsx";
import "./StudyChart.css";

interface HeatChartProps {
  readonly picture: HeatPicture;
  /** The measures that a cell is read of, and the identity of the class of each. */
  readonly read: readonly { readonly measure: number; readonly kindIndex: number | null }[];
  readonly height: number;
  readonly stamp: ExportStamp;
  readonly entries: PointEntries;
}

/** A measure over two things that vary, in ink with numbers. Arrows go from cell to cell; Enter, or a click, opens the menu of one. */
export function HeatChart({ picture, read, height, stamp, entries }: HeatChartProps) {
  const { table, columns, rows, cells } = picture;
  const [box, width] = useWidth();
  const [at, setAt] = useState<readonly [column: number, row: number] | null>(null);
  const sentence = useMemo(() => heatSentence(picture), [picture]);
  const menu = usePointMenu(entries, "This cell");
  const frame = () => heatFrame(width, height, picture);
  const middle = ([column, row]: readonly [number, number]) => {
    const { x, y } = frame();
    return { x: x.scale(column), y: y.scale(row) };
  };
  const pointAt = (cell: readonly [number, number] | null) =>
    cell && (cells[cell[1] * columns.length + cell[0]] ?? null);
  const under = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLDivElement>) => {
    const { left, top } = currentTarget.getBoundingClientRect();
    return cellUnder(frame(), picture, clientX - left, clientY - top);
  };
  const open = (cell: readonly [number, number] | null) => {
    const point = pointAt(cell);
    if (cell && point !== null) menu.open({ point, ...middle(cell) });
  };
  const pointing = usePointing({
    under,
    isShown: (cell) => cell?.[0] === at?.[0] && cell?.[1] === at?.[1],
    show: setAt,
    open,
  });
  const key = (event: KeyboardEvent<HTMLDivElement>): boolean => {
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (event.key === "Escape" && at !== null) setAt(null);
    else if (event.key === "Enter" && at !== null) open(at);
    else if (step) {
      const [column, row] = at ?? [0, 0];
      const [right = 0, up = 0] = at ? step : [];
      setAt([
        Math.min(columns.length - 1, Math.max(0, column + right)),
        Math.min(rows.length - 1, Math.max(0, row + up)),
      ]);
    } else return false;
    return true;
  };
  const point = pointAt(at);
  const { title = "", unit = null } = table.measures[picture.measure] ?? {};
  return (
    <div ref={box} className="study-chart" data-pointed={point !== null || undefined}>
      <PlainChart
        id="study-heat"
        title={title}
        unit={unitText(unit)}
        untitled
        height={height}
        stamp={stamp}
        sentence={sentence}
        keys="Arrows go from cell to cell, Enter opens what can be done with one."
        headers={tableHeaders(table)}
        rows={() => tableRows(table)}
        draw={(surface, wide, high, theme) => drawHeat(surface, theme, wide, high, picture)}
        drawOver={(surface, wide, high, theme) => {
          if (at) drawCellFrame(surface, theme, heatFrame(wide, high, picture), at[0], at[1]);
        }}
        {...pointing}
        onKey={key}
      >
        {at && point !== null && menu.point === null && (
          <PointReadout table={table} place={point} measures={read} {...middle(at)} width={width} />
        )}
        {menu.menu}
      </PlainChart>
    </div>
  );
}
