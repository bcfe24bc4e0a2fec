import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from "react";
import { useWidth } from "../../ui/useWidth.ts";
import { nearestAlong } from "../drawing/hit.ts";
import { PlainChart } from "../frame/PlainChart.tsx";
import type { ExportStamp, Gutters } from "../types.ts";
import {
  type CurvesPicture,
  columnStates,
  curvesFrame,
  curvesSentence,
  drawCursor,
  drawCurves,
  extentsOf,
  panelAt,
} from "./curves.ts";
import { PointReadout } from "./PointReadout.tsx";
import { tableHeaders, tableRows } from "./studyTable.ts";
import { usePointing } from "./usePointing.ts";
import { type PointEntries, usePointMenu } from "./usePointMenu.tsx";
import type { Extent } from "./valueAxis.ts";
import "./StudyChart.css";

interface CurveChartProps {
  readonly picture: CurvesPicture;
  readonly height: number;
  readonly gutters: Gutters;
  readonly stamp: ExportStamp;
  readonly entries: PointEntries;
  /** What the axes belong to: with another one they begin anew. While results come they only grow. */
  readonly subject: string;
}

/** Small multiples that share the axis of what varies. Arrows go from value to value; Enter, or a click, opens the menu of one. */
export function CurveChart({ picture, height, gutters, stamp, entries, subject }: CurveChartProps) {
  const { table, panels } = picture;
  const [box, width] = useWidth();
  const [column, setColumn] = useState<number | null>(null);
  const [panel, setPanel] = useState(0);
  const kept = useRef<{ subject: string; extents: readonly (Extent | null)[] }>({ subject, extents: [] });
  // What follows the pointer asks for the picture again and again, of a thousand points as well.
  const extents = useMemo(() => {
    const isOpen = columnStates(picture).includes("open");
    const before = isOpen && kept.current.subject === subject ? kept.current.extents : [];
    return extentsOf(picture, before);
  }, [picture, subject]);
  kept.current = { subject, extents };
  const sentence = useMemo(() => curvesSentence(picture), [picture]);
  const menu = usePointMenu(entries, "This point");
  const frame = () => curvesFrame(width, height, gutters, picture, extents);
  const last = picture.axis.values.length - 1;
  const shownPanel = Math.min(panel, panels.length - 1);
  const point = column === null ? null : (panels[shownPanel]?.points[column] ?? null);
  const under = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLDivElement>) => {
    const { left, top } = currentTarget.getBoundingClientRect();
    const [x, y] = [clientX - left, clientY - top];
    const { left: from, right: to } = frame();
    if (x < from - 12 || x > to + 12 || last < 0) return null;
    return { column: nearestAlong(frame().columns, x), panel: panelAt(frame(), y), y };
  };
  const open = (at: { readonly column: number; readonly panel: number; readonly y: number } | null) => {
    const chosen = at && (panels[at.panel]?.points[at.column] ?? null);
    if (at && chosen !== null) menu.open({ point: chosen, x: frame().columns[at.column] ?? 0, y: at.y });
  };
  const pointing = usePointing({
    under,
    isShown: (found) => found?.column === column && found?.panel === shownPanel,
    show(found) {
      setColumn(found?.column ?? null);
      if (found) setPanel(found.panel);
    },
    open,
  });
  const key = (event: KeyboardEvent<HTMLDivElement>): boolean => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const up = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && column !== null) setColumn(null);
    else if (event.key === "Enter" && column !== null) {
      open({ column, panel: shownPanel, y: frame().panels[shownPanel]?.top ?? 0 });
    } else if (event.key === "Home") setColumn(0);
    else if (event.key === "End") setColumn(last);
    else if (step) {
      const by = step * (event.shiftKey ? 10 : 1);
      setColumn(Math.min(last, Math.max(0, column === null ? (step > 0 ? 0 : last) : column + by)));
    } else if (up) setPanel(Math.min(panels.length - 1, Math.max(0, shownPanel + up)));
    else return false;
    return true;
  };
  // With a second factor each panel has a point of its own.
  const read =
    table.factors.length > 1 ? (panels[shownPanel]?.lines ?? []) : panels.flatMap(({ lines }) => lines);
  return (
    <div ref={box} className="study-chart" data-pointed={point !== null || undefined}>
      <PlainChart
        id="study-curves"
        title="Curves"
        unit=""
        untitled
        height={height}
        stamp={stamp}
        sentence={sentence}
        keys="Left and right arrow go from value to value, Enter opens what can be done with one."
        headers={tableHeaders(table)}
        rows={() => tableRows(table)}
        draw={(surface, wide, high, theme) =>
          drawCurves(surface, theme, wide, high, gutters, picture, extents)
        }
        drawOver={(surface, wide, high, theme) => {
          if (column === null) return;
          drawCursor(surface, theme, curvesFrame(wide, high, gutters, picture, extents), column);
        }}
        {...pointing}
        onKey={key}
      >
        {point !== null && column !== null && menu.point === null && (
          <PointReadout
            table={table}
            place={point}
            measures={read}
            x={frame().columns[column] ?? 0}
            y={table.factors.length > 1 ? (frame().panels[shownPanel]?.top ?? 20) : 30}
            width={width}
          />
        )}
        {menu.menu}
      </PlainChart>
    </div>
  );
}
