import { type PointerEvent, useState } from "react";
import { endUs, type Journey } from "../../run/journey.ts";
import type { Bar, Lane } from "../../run/journeyLanes.ts";
import { formatDuration } from "../drawing/format.ts";
import { PlainChart } from "../frame/PlainChart.tsx";
import type { Stretch } from "../time/timeRange.ts";
import { PAN_STEP, panned, ZOOM_STEP, zoomed } from "../time/zooming.ts";
import type { ExportStamp } from "../types.ts";
import { barAt, barLines, drawJourney, drawPlayhead, instantAt, type JourneyPicture } from "./journey.ts";
import { stageTitle } from "./stageTable.ts";
import "../time/ReadoutPopover.css";

interface JourneyChartProps {
  readonly picture: JourneyPicture;
  readonly sentence: string;
  readonly height: number;
  /** The instant that is looked at, since the start of the run. */
  readonly us: number;
  readonly onSeek: (us: number) => void;
  /** Shows another stretch; null for all of the request. */
  readonly onShow: (range: Stretch | null) => void;
  readonly stamp: ExportStamp;
}

interface Pointed {
  readonly at: { readonly lane: Lane; readonly bar: Bar };
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Shortest stretch that can be shown, in microseconds. */
export const MIN_STRETCH_US = 0.05;

/** One request over time, place by place. A drag moves the instant that is looked at, arrows too; + and - zoom. */
export function JourneyChart({ picture, sentence, height, us, onSeek, onShow, stamp }: JourneyChartProps) {
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const { journey, lanes, range } = picture;
  const { issuedUs } = journey.moments;
  const bounds = { wholeUs: endUs(journey) - issuedUs, minUs: MIN_STRETCH_US };
  const place = (event: PointerEvent<HTMLDivElement>) => {
    const { left, top, width, height: high } = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top, width, high };
  };
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const { x, y, width, high } = place(event);
    if (event.buttons === 1) onSeek(instantAt(picture, width, high, x));
    const at = barAt(picture, [width, high], [x, y]);
    setPointed(at && { at, x, y, width });
  };
  const key = (pressed: string): boolean => {
    const around = us - issuedUs;
    const length = range[1] - range[0];
    const actions: Readonly<Record<string, () => void>> = {
      "+": () => onShow(zoomed(range, 1 / ZOOM_STEP, around, bounds)),
      "-": () => onShow(zoomed(range, ZOOM_STEP, around, bounds)),
      "0": () => onShow(null),
      PageUp: () => onShow(panned(range, -length * PAN_STEP, bounds.wholeUs)),
      PageDown: () => onShow(panned(range, length * PAN_STEP, bounds.wholeUs)),
      ArrowLeft: () => onSeek(us - length / 100),
      ArrowRight: () => onSeek(us + length / 100),
      Home: () => onSeek(issuedUs),
      End: () => onSeek(endUs(journey)),
    };
    const act = actions[pressed === "=" ? "+" : pressed];
    act?.();
    return act !== undefined;
  };
  return (
    <PlainChart
      id="journey"
      title="Places of the request"
      unit="µs since it was issued"
      untitled
      height={height}
      stamp={stamp}
      sentence={sentence}
      keys="Arrows move the instant that is looked at, plus and minus zoom, 0 shows all."
      headers={[
        "place",
        "packets or pages",
        "from (us)",
        "to (us)",
        "longest wait (us)",
        "longest work (us)",
        "on the wire, or channel (us)",
      ]}
      rows={() => rowsOf(journey, lanes)}
      draw={(surface, width, high, theme) => drawJourney(surface, theme, width, high, picture)}
      drawOver={(surface, width, high, theme) => drawPlayhead(surface, theme, width, high, picture, us)}
      onPointerMove={move}
      onPointerDown={(event) => {
        const { x, width, high } = place(event);
        onSeek(instantAt(picture, width, high, x));
      }}
      onPointerLeave={() => setPointed(null)}
      onKey={(event) => key(event.key)}
    >
      {pointed && <Readout {...pointed} picture={picture} />}
    </PlainChart>
  );
}

function Readout({ at, x, y, width, picture }: Pointed & { readonly picture: JourneyPicture }) {
  const [title, ...lines] = barLines(picture, at);
  const side = x > width / 2 ? { right: width - x + 14 } : { left: x + 14 };
  return (
    <div className="chart-readout" style={{ ...side, top: Math.max(0, y - 20) }}>
      <b>{at.lane.title}</b>: {title}
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </div>
  );
}

/** Place by place: what came there, when, and how long one of them took at most. */
function* rowsOf({ moments }: Journey, lanes: readonly Lane[]): Iterable<readonly (string | number)[]> {
  for (const { title, bars } of lanes) {
    const longest = (kind: Bar["kind"]) =>
      Math.max(0, ...bars.filter((bar) => bar.kind === kind).map(({ fromUs, toUs }) => toUs - fromUs));
    yield [
      title,
      new Set(bars.map(({ of }) => of).filter((of) => of >= 0)).size,
      Math.min(...bars.map(({ fromUs }) => fromUs)) - moments.issuedUs,
      Math.max(...bars.map(({ toUs }) => toUs)) - moments.issuedUs,
      ...(["wait", "work", "wire"] as const).map(longest),
    ];
  }
}

/** A request in words: what it is, how long it took, and where most of that went. */
export function journeySentence(
  { bytes, reads, stagesUs, of, slowerThan }: Journey,
  [className, from, to]: readonly [string, string, string],
  stages: readonly string[],
): string {
  const what = `${reads ? "Read" : "Write"} of ${bytesText(bytes)} by ${className}, ${from === to ? `at ${from}` : `${from} to ${to}`}`;
  if (!stagesUs) return `${what}: not done when the run ends.`;
  const total = stagesUs.reduce((sum, us) => sum + us, 0);
  const longest = stages
    .map((id, stage) => ({ title: stageTitle(id), us: stagesUs[stage] ?? 0 }))
    .filter(({ us }) => us >= total / 20)
    .toSorted((a, b) => b.us - a.us)
    .slice(0, 3)
    .map(({ title, us }) => `${title} ${formatDuration(us)}`);
  const rank = of > 1 ? `, slower than ${slowerThan} of ${of}` : "";
  return `${what}: ${formatDuration(total)}${rank}. Longest: ${longest.join(", ")}.`;
}

function bytesText(bytes: number): string {
  if (bytes >= 1e6) return `${Number((bytes / 1e6).toPrecision(3))} MB`;
  return bytes >= 1e4 ? `${Number((bytes / 1e3).toPrecision(3))} kB` : `${bytes} bytes`;
}
