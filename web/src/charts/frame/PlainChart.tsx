import type { KeyboardEvent, PointerEvent, ReactNode } from "react";
import { useId } from "react";
import { fixed } from "../drawing/format.ts";
import { type Draw, useDrawing } from "../drawing/useDrawing.ts";
import type { ExportStamp } from "../types.ts";
import { ChartMenu } from "./ChartMenu.tsx";
import { ChartPicture, useChartTable } from "./ChartPicture.tsx";
import { ChartTable } from "./ChartTable.tsx";
import type { Exportable } from "./export.ts";
import "../time/TimeChart.css";

interface PlainChartProps {
  /** Names it for tests and files. */
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  /** The header of a panel stands above it, in the place of its own. */
  readonly untitled?: boolean;
  /** Stands behind the unit. */
  readonly header?: ReactNode;
  readonly height: number;
  readonly draw: Draw;
  /** Drawn above it by itself: what follows the pointer. */
  readonly drawOver?: Draw;
  /** The picture in words. */
  readonly sentence: string;
  /** What its keys do, in words. */
  readonly keys?: string;
  readonly headers: readonly string[];
  readonly rows: () => Iterable<readonly (string | number)[]>;
  readonly stamp: ExportStamp;
  readonly onPointerMove?: (event: PointerEvent<HTMLDivElement>) => void;
  readonly onPointerDown?: (event: PointerEvent<HTMLDivElement>) => void;
  readonly onPointerUp?: (event: PointerEvent<HTMLDivElement>) => void;
  readonly onPointerLeave?: (event: PointerEvent<HTMLDivElement>) => void;
  /** Whether it took the key. */
  readonly onKey?: (event: KeyboardEvent<HTMLDivElement>) => boolean;
  /** Stands in the picture, and is part of it. */
  readonly children?: ReactNode;
  /** Stands over it, and is moved by itself. */
  readonly handles?: ReactNode;
}

/** Rows of a table that are shown; files have all of them. */
const SHOWN = 500;

/** A chart of what does not go on with a run: title, picture, table twin, files. */
export function PlainChart(props: PlainChartProps) {
  const { id, title, unit, untitled = false, height, draw, drawOver, headers, rows, children } = props;
  const hint = useId();
  const picture = useDrawing(draw, null);
  const overlay = useDrawing(drawOver ?? (() => {}), null);
  const table = useChartTable(picture);
  const key = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
    if (event.key === "t" || event.key === "T") table.open();
    else if (!props.onKey?.(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const exportable = (): Exportable => {
    const width = picture.box.current?.parentElement?.clientWidth ?? 744;
    return {
      id,
      title: `${title}, ${unit}`,
      headers,
      rows: rows(),
      width,
      height,
      draw(surface, theme) {
        if (untitled) return draw(surface, width, height, theme);
        surface.text(
          [
            { text: title, colour: theme.ink, bold: true },
            { text: unit, colour: theme.t3, gap: 8 },
          ],
          16,
          18,
          { size: 12 },
        );
        draw(surface, width, height, theme);
      },
    };
  };
  return (
    <section className={untitled ? "chart chart-plain" : "chart"} style={{ height }} aria-label={title}>
      {table.shown && (
        <ChartTable title={title} onClose={table.close}>
          <PlainTable title={title} unit={unit} headers={headers} rows={rows()} />
        </ChartTable>
      )}
      <ChartPicture
        picture={picture}
        {...(drawOver && { overlay })}
        hidden={table.shown}
        aria-label={props.sentence}
        aria-describedby={hint}
        data-chart={id}
        onPointerMove={props.onPointerMove}
        onPointerDown={props.onPointerDown}
        onPointerUp={props.onPointerUp}
        onPointerLeave={props.onPointerLeave}
        onKeyDown={key}
      >
        {children}
      </ChartPicture>
      {props.handles && !table.shown && <div className="chart-handles">{props.handles}</div>}
      {!table.shown && !untitled && (
        <div className="chart-header chart-header-wide">
          <b className="chart-title">{title}</b>
          <span className="note">{unit}</span>
          {props.header}
        </div>
      )}
      <span id={hint} className="visually-hidden">
        {props.keys} T shows the table.
      </span>
      <ChartMenu
        title={title}
        stamp={props.stamp}
        exportable={exportable}
        table={table.shown}
        onToggleTable={table.toggle}
      />
    </section>
  );
}

interface PlainTableProps {
  readonly title: string;
  readonly unit: string;
  readonly headers: readonly string[];
  readonly rows: Iterable<readonly (string | number)[]>;
}

function PlainTable({ title, unit, headers, rows }: PlainTableProps) {
  const all = [...rows];
  return (
    <table>
      <caption>
        <b>{title}</b> {unit}
        {all.length > SHOWN && `, the first ${SHOWN} of ${fixed(all.length, 0)} rows`}
      </caption>
      <thead>
        <tr>
          {headers.map((header) => (
            <th key={header} scope="col">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {all.slice(0, SHOWN).map((row, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
          <tr key={place}>
            {row.map((cell, at) => (
              <td key={headers[at]}>{typeof cell === "number" ? short(cell) : cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A number of a table: whole, or to four digits. */
const short = (value: number): string =>
  Number.isInteger(value) ? fixed(value, 0) : String(Number(value.toPrecision(4)));
