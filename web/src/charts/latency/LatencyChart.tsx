import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from "react";
import { latencyAt, shareSlower } from "../../run/latency.ts";
import { figure } from "../../run/read.ts";
import type { RunView } from "../../run/types.ts";
import { classIdentity } from "../../ui/classes.ts";
import { PERCENTILES } from "../drawing/axis.ts";
import { fixed, formatLatency, formatLatencyUnit, formatPercent } from "../drawing/format.ts";
import { vertical } from "../drawing/frame.ts";
import { drawMarker } from "../drawing/plot.ts";
import { classStyle } from "../drawing/theme.ts";
import { useDrawing } from "../drawing/useDrawing.ts";
import { useSentence } from "../drawing/useSentence.ts";
import { ChartMenu } from "../frame/ChartMenu.tsx";
import { ChartPicture, useChartTable } from "../frame/ChartPicture.tsx";
import { ChartTable } from "../frame/ChartTable.tsx";
import { ClassMarker } from "../frame/ClassMarker.tsx";
import type { Exportable } from "../frame/export.ts";
import type { LatencyChartProps, LatencySubject } from "../types.ts";
import { drawLatency, type LatencyRange, latencyFrame, latencyRange, latencySentence } from "./latency.ts";

const REQUESTS: LatencySubject = { id: "request-latency", title: "Request latency" };

/** Complementary CDF of request latency, log-log, labelled by percentile. The panel's header stands above it. */
export function LatencyChart(props: LatencyChartProps) {
  const { run, height, of = REQUESTS } = props;
  const { title } = of;
  const [cursorUs, setCursorUs] = useState<number | null>(null);
  const range = useRef<{ run: RunView; range: LatencyRange | null }>({ run, range: null });
  const hint = useId();
  const sentence = useSentence(run, {
    title,
    sentence: () => latencySentence(run, of === REQUESTS ? null : title),
  });

  const rangeNow = () => {
    if (range.current.run !== run) range.current = { run, range: null };
    const known = [run, ...(props.beside ?? [])].filter(({ latency }) =>
      latency.some((pairs) => pairs.length >= 4),
    );
    if (known.length === 0) return latencyRange(run, null, props.deadlines);
    const wider = (before: LatencyRange | null, view: RunView) => latencyRange(view, before, props.deadlines);
    range.current.range = known.reduce(wider, range.current.range);
    return range.current.range as LatencyRange;
  };
  const picture = useDrawing(
    (surface, width, high, theme) => drawLatency(surface, theme, width, high, props, rangeNow()),
    run,
    props.ghost,
  );
  const overlay = useDrawing(
    (surface, width, high, theme) => {
      if (cursorUs === null) return;
      const plot = latencyFrame(width, high, rangeNow());
      const x = plot.x.scale(cursorUs);
      vertical(surface, x, plot.top, plot.bottom);
      surface.stroke({ colour: theme.t2, width: 1 });
      run.classes.forEach((item, i) => {
        const share = shareSlower(run.latency[i] ?? new Float64Array(0), cursorUs);
        if (!(share > 0.00005)) return;
        drawMarker(surface, theme, classStyle(theme, item.kindIndex), x, plot.y.scale(share), 4.2, true);
      });
    },
    cursorUs === null ? null : run,
  );
  const table = useChartTable(picture);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run starts without a cursor
  useEffect(() => setCursorUs(null), [run]);

  const geometry = () => latencyFrame(picture.box.current?.clientWidth ?? 384, height, rangeNow());
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const plot = geometry();
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    setCursorUs(x >= plot.left && x <= plot.right ? plot.x.scale.invert(x) : null);
  };
  const key = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { minimumUs, maximumUs } = rangeNow();
    const factor = (maximumUs / minimumUs) ** ((event.shiftKey ? 10 : 1) / 120);
    const from = cursorUs ?? Math.sqrt(minimumUs * maximumUs);
    if (event.key === "ArrowLeft") setCursorUs(Math.max(minimumUs, from / factor));
    else if (event.key === "ArrowRight") setCursorUs(Math.min(maximumUs, from * factor));
    else if (event.key === "Home") setCursorUs(minimumUs);
    else if (event.key === "End") setCursorUs(maximumUs);
    else if (event.key === "Escape" && cursorUs !== null) setCursorUs(null);
    else if (event.key === "t" || event.key === "T") table.open();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const exportable = (): Exportable => {
    const width = picture.box.current?.parentElement?.clientWidth ?? 384;
    return {
      id: of.id,
      title: `${title}, share of requests slower`,
      headers: ["class", "latency (us)", "share slower (count/total)"],
      rows: rowsOf(run),
      width,
      height,
      draw: (surface, theme) => drawLatency(surface, theme, width, height, props, rangeNow()),
    };
  };

  return (
    <section className="chart chart-plain" style={{ height }} aria-label={title}>
      {table.shown && <LatencyTable run={run} title={title} onClose={table.close} />}
      <ChartPicture
        picture={picture}
        overlay={overlay}
        hidden={table.shown}
        aria-label={sentence}
        aria-describedby={hint}
        data-chart={of.id}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setCursorUs(null)}
        onBlur={() => setCursorUs(null)}
        onKeyDown={key}
      >
        {cursorUs !== null && <LatencyReadout run={run} us={cursorUs} x={geometry().x.scale(cursorUs)} />}
      </ChartPicture>
      <span id={hint} className="visually-hidden">
        Left and right arrow move along the latency axis, with Shift ten times as far; T shows the table.
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

function LatencyReadout({ run, us, x }: { readonly run: RunView; readonly us: number; readonly x: number }) {
  const side = x > 210 ? { right: `calc(100% - ${x - 10}px)` } : { left: x + 10 };
  return (
    <div className="chart-readout" style={side} aria-live="polite">
      <table>
        <caption>
          <span>
            <b>{formatLatencyUnit(us)}</b>
            <span>slower than this</span>
          </span>
        </caption>
        <tbody>
          {run.classes.map((item, i) => (
            <tr key={item.name}>
              <th scope="row">
                <ClassMarker kindIndex={item.kindIndex} />
                <span style={{ color: classIdentity(item.kindIndex).label }}>{item.name}</span>
              </th>
              <td>{formatShare(shareSlower(run.latency[i] ?? new Float64Array(0), us))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const formatShare = (share: number): string => {
  if (Number.isNaN(share)) return "none";
  return share > 0 && share < 0.0005 ? "< 0.1 %" : formatPercent(share);
};

interface LatencyTableProps {
  readonly run: RunView;
  readonly title: string;
  readonly onClose: () => void;
}

function LatencyTable({ run, title, onClose }: LatencyTableProps) {
  return (
    <ChartTable title={title} onClose={onClose}>
      <table>
        <caption>
          <b>{title}</b> µs unless stated
        </caption>
        <thead>
          <tr>
            <th scope="col">class</th>
            <th scope="col">requests</th>
            {PERCENTILES.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {run.classes.map((item, i) => {
            const count = figure(run, i, "requestsCompleted");
            return (
              <tr key={item.name}>
                <th scope="row">{item.name}</th>
                <td>{fixed(count, 0)}</td>
                {PERCENTILES.map(({ name, share }) => (
                  <td key={name}>{percentile(run, i, share, count)}</td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </ChartTable>
  );
}

/** "few" under five requests beyond, "≈" under ten: a percentile needs requests to stand on. */
function percentile(run: RunView, i: number, share: number, count: number): string {
  if (!(count * share >= 5)) return "few";
  const us = formatLatency(latencyAt(run.latency[i] ?? new Float64Array(0), share));
  return count * share < 10 ? `≈${us}` : us;
}

function* rowsOf(run: RunView): Generator<(string | number)[]> {
  for (const [i, pairs] of run.latency.entries()) {
    const name = run.classes[i]?.name ?? "";
    for (let k = 0; k + 1 < pairs.length; k += 2) yield [name, pairs[k] as number, pairs[k + 1] as number];
  }
}
