import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useState,
} from "react";
import { samplesUntilNow } from "../../run/read.ts";
import { drawAxisLabels, vertical } from "../drawing/frame.ts";
import { nearestAlong } from "../drawing/hit.ts";
import { drawInstants, drawMarker, drawTitle, throughTop, timePlot } from "../drawing/plot.ts";
import { classStyle } from "../drawing/theme.ts";
import { useDrawing } from "../drawing/useDrawing.ts";
import { useSentence } from "../drawing/useSentence.ts";
import { type Subject, titleText } from "../form.ts";
import { ChartMenu } from "../frame/ChartMenu.tsx";
import { ChartPicture, useChartTable } from "../frame/ChartPicture.tsx";
import type { Exportable } from "../frame/export.ts";
import { drawNoteMark, MARK, markText, noteGroups, noteLine, notesWithin } from "../notes/notes.ts";
import type { TimeChartProps } from "../types.ts";
import type { ChartModel } from "./chartModel.ts";
import { drawChart, drawExpected, isOfUnit } from "./frame.ts";
import { ReadoutPopover } from "./ReadoutPopover.tsx";
import { TimeTable } from "./TimeTable.tsx";
import { isZoomed, withInstant } from "./timeRange.ts";
import { useZoomGestures } from "./useZoomGestures.ts";
import "./TimeChart.css";

interface Props extends TimeChartProps {
  readonly subject: Subject;
  readonly model: ChartModel;
  /** Says when the picture is drawn anew, where every frame would be too often; the playhead still follows each. */
  readonly pace?: { subscribe(listener: () => void): () => void };
  /** The title; in files it is drawn. */
  readonly header: ReactNode;
}

/** Frame of every stacked time chart: title, picture, time cursor, readout, keys, table twin, files. */
export function TimeChart(props: Props) {
  const { run, domainUs, gutters, cursor, height, place, stamp, subject, model, pace, header, zoom } = props;
  const { notes = [] } = props;
  const title = titleText(subject);
  const unit = model.unit ?? subject.unit;
  const [active, setActive] = useState(false);
  const [line, setLine] = useState<number | null>(null);
  const hint = useId();
  const sentence = useSentence(run, { title, sentence: model.sentence });

  const { expected } = props;
  const picture = useDrawing(
    (surface, width, high, theme) => {
      const plot = timePlot(theme, width, high, gutters, domainUs, place);
      drawChart(surface, plot, run, model, notes);
      if (expected && isOfUnit(subject.unit, expected.unit)) drawExpected(surface, plot, model, expected);
    },
    pace ?? run,
    props.ghost ?? props.axis,
  );
  const table = useChartTable(picture);
  useZoomGestures(picture.box, props);
  // With no cursor shown, new samples leave the overlay as it is: blank.
  const moving = useMemo(
    () => ({
      subscribe: (listener: () => void) =>
        run.subscribe(() => (pace !== undefined || cursor.get() !== null) && listener()),
    }),
    [run, cursor, pace],
  );
  const overlay = useDrawing(
    (surface, width, high, theme) => {
      const sample = cursor.get();
      const plot = timePlot(theme, width, high, gutters, domainUs, place);
      if (pace) drawInstants(surface, plot, run.nowUs, []);
      if (sample === null || sample >= run.n) return;
      const x = plot.x(run.timeUs[sample] as number);
      if (x < plot.left - 1 || x > plot.right + 1) return;
      vertical(surface, x, throughTop(plot), plot.height);
      surface.stroke({ colour: theme.t2, width: 1 });
      if (line !== null) model.drawFocus?.(surface, plot, line);
      for (const mark of model.cursorMarks(plot, sample)) {
        if (Number.isNaN(mark.y)) continue;
        if (mark.kindIndex !== null) {
          drawMarker(surface, theme, classStyle(theme, mark.kindIndex), x, mark.y, 4.2, true);
          continue;
        }
        surface.begin();
        surface.circle(x, mark.y, 3.5);
        surface.fill(theme.bg);
        surface.stroke({ colour: theme.ink, width: 1.5 });
      }
    },
    cursor,
    moving,
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: the cursor belongs to a run; another starts without
  useEffect(() => () => cursor.set(null), [cursor, run]);

  const point = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const plot = timePlot(EMPTY_THEME, box.width, height, gutters, domainUs);
    const x = event.clientX - box.left;
    if (x < plot.left - 8 || x > plot.right + 8) {
      cursor.set(null);
      return;
    }
    const sample = nearestAlong(run.timeUs, plot.timeAt(x), samplesUntilNow(run));
    cursor.set(sample < 0 ? null : sample);
    setLine(sample < 0 ? null : (model.nearest?.(plot, sample, event.clientY - box.top) ?? null));
    setActive(true);
  };

  const leave = (event: { currentTarget: HTMLDivElement }) => {
    if (document.activeElement === event.currentTarget && event.currentTarget.matches(":focus-visible"))
      return;
    cursor.set(null);
    setLine(null);
    setActive(false);
  };

  const key = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = samplesUntilNow(run) - 1;
    const at = cursor.get();
    const step = event.shiftKey ? 10 : 1;
    const moves: Record<string, () => number | null> = {
      ArrowLeft: () => (at === null ? last : Math.max(0, at - step)),
      ArrowRight: () => (at === null ? last : Math.min(last, at + step)),
      Home: () => 0,
      End: () => last,
      Escape: () => null,
    };
    if (event.key === "t" || event.key === "T") {
      table.open();
      cursor.set(null);
    } else {
      const move = moves[event.key];
      if (!move || (event.key === "Escape" && at === null)) return;
      const sample = move();
      cursor.set(sample !== null && sample >= 0 ? sample : null);
      if (zoom && isZoomed(domainUs, zoom) && sample !== null && sample >= 0)
        zoom.show(withInstant(domainUs, run.timeUs[sample] as number));
      setLine(null);
      setActive(sample !== null);
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const exportable = (): Exportable => {
    const width = picture.box.current?.parentElement?.clientWidth ?? 744;
    const within = notesWithin(notes, domainUs);
    return {
      id: subject.id,
      title: `${title}, ${unit}`,
      headers: ["time (ms)", ...model.table.map(({ header }) => header)],
      rows: rowsOf(props),
      width,
      height: height + AXIS + (within.length > 0 ? MARK + 2 : 0),
      notes: within.map(noteLine),
      draw(surface, theme) {
        const plot = timePlot(theme, width, height, gutters, domainUs);
        drawTitle(surface, plot, subject, unit, model.note);
        drawChart(surface, plot, run, model, notes);
        drawAxisLabels(surface, theme, plot, plot.time, height + 11);
        for (const group of noteGroups(notes, domainUs, APART)) {
          const x = plot.x(group[0]?.timeUs ?? 0);
          drawNoteMark(surface, theme, markText(group), x, height + AXIS + MARK / 2);
        }
      },
    };
  };

  return (
    <section className="chart" style={{ height }} aria-label={title}>
      {table.shown && <TimeTable run={run} title={title} columns={model.table} onClose={table.close} />}
      <ChartPicture
        picture={picture}
        overlay={overlay}
        hidden={table.shown}
        aria-label={sentence}
        aria-describedby={hint}
        data-chart={subject.id}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={leave}
        onBlur={leave}
        onKeyDown={key}
      >
        {active && <ReadoutPopover {...props} line={line} />}
      </ChartPicture>
      {!table.shown && (
        <div className="chart-header" style={{ right: gutters.right }}>
          {header}
          {model.note && <span className="note chart-note">{model.note}</span>}
        </div>
      )}
      <span id={hint} className="visually-hidden">
        Left and right arrow move by one sample, with Shift by ten; T shows the table.
        {zoom && " Plus and minus zoom in time, 0 shows the whole run, Page Up and Page Down go back and on."}
      </span>
      {place?.isFirst && (
        <span className="visually-hidden" aria-live="polite">
          {sentence}
        </span>
      )}
      <ChartMenu
        title={title}
        stamp={stamp}
        exportable={exportable}
        table={table.shown}
        onToggleTable={table.toggle}
      />
    </section>
  );
}

/** Least distance of two marks of notes in a file, as a share of the stretch. */
const APART = 1 / 36;

/** Height of the axis below the picture in a file. */
const AXIS = 20;

/** `timePlot` needs a theme only for drawing. */
const EMPTY_THEME = {} as Parameters<typeof timePlot>[0];

function* rowsOf({ run, model }: Props): Generator<number[]> {
  const n = samplesUntilNow(run);
  for (let s = 0; s < n; s++) {
    yield [(run.timeUs[s] as number) / 1000, ...model.table.map((item) => item.value(s))];
  }
}
