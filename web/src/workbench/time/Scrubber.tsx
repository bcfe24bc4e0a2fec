import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from "react";
import { formatMilliseconds } from "../../charts/drawing/format.ts";
import { TimeAxis } from "../../charts/time/TimeAxis.tsx";
import type { Gutters } from "../../charts/types.ts";
import { useRun, useScenario, useSession } from "../../panels/context.tsx";
import { noteMarks } from "../../panels/noting.ts";
import { milestonesOf } from "../../run/milestones.ts";
import { scenarioEvents } from "./milestones.ts";
import { useTimeZoom } from "./timeRange.ts";
import "./Scrubber.css";

/** Position in the run, on the same scale and pixels as the charts above it while they show all of it; else a band is what they show. Dragging goes to another instant. */
export function Scrubber({ gutters, axis = true }: { readonly gutters: Gutters; readonly axis?: boolean }) {
  const session = useSession();
  const nowUs = useRun((run) => run.nowUs);
  const durationUs = useRun((run) => run.durationUs);
  const baseRttUs = useRun((run) => run.view?.layout.baseRttUs ?? 1);
  const track = useRef<HTMLDivElement>(null);
  const [dragUs, setDragUs] = useState<number | null>(null);
  const shownUs = dragUs ?? nowUs;
  const range = useTimeZoom(durationUs)?.domainUs ?? [0, durationUs];
  const isZoomed = range[1] - range[0] < durationUs;
  const percent = (us: number) => `${((us / durationUs) * 100).toFixed(3)}%`;

  const instantAt = (event: PointerEvent) => {
    const box = track.current?.getBoundingClientRect();
    if (!box) return 0;
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * durationUs;
  };
  const key = (event: KeyboardEvent) => {
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (event.key === "Home") session.seek(0);
    else if (event.key === "End") session.seek(durationUs);
    else if (steps !== undefined) {
      const us = nowUs + steps * (event.shiftKey ? 10 : 1) * baseRttUs;
      session.seek(Math.min(durationUs, Math.max(0, us)));
    } else return;
    event.preventDefault();
  };

  return (
    <div className="scrubber" style={{ paddingLeft: gutters.left, paddingRight: gutters.right }}>
      <div
        ref={track}
        className="scrubber-track"
        role="slider"
        tabIndex={0}
        aria-label="Position in the run"
        aria-valuemin={0}
        aria-valuemax={durationUs / 1000}
        aria-valuenow={Number((shownUs / 1000).toFixed(3))}
        aria-valuetext={`${formatMilliseconds(shownUs)} ms of ${formatMilliseconds(durationUs)} ms`}
        onKeyDown={key}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragUs(instantAt(event));
        }}
        onPointerMove={(event) => dragUs !== null && setDragUs(instantAt(event))}
        onPointerUp={(event) => {
          if (dragUs !== null) session.seek(instantAt(event));
          setDragUs(null);
        }}
        onPointerCancel={() => setDragUs(null)}
      >
        {isZoomed && (
          <span
            className="scrubber-shown"
            style={{ left: percent(range[0]), width: percent(range[1] - range[0]) }}
          />
        )}
        <span className="scrubber-rest" />
        <span className="scrubber-done" style={{ width: percent(shownUs) }} />
        <Marks percent={percent} />
        {!isZoomed && <span className="scrubber-playhead" style={{ left: percent(shownUs) }} />}
        <span className="scrubber-thumb" style={{ left: percent(shownUs) }} />
      </div>
      {axis && (
        <div className="scrubber-axis" style={{ left: 0, right: 0 }}>
          <TimeAxis domainUs={[0, durationUs]} gutters={gutters} height={18} />
        </div>
      )}
    </div>
  );
}

/** Least distance between two labels, as a share of the track; a label with less room is left to its tooltip. */
const LABEL_SHARE = 0.24;

/** Flags where something was changed, squares where something is noted, rings where the run changed its course by itself. */
function Marks({ percent }: { readonly percent: (us: number) => string }) {
  const scenario = useScenario();
  const durationUs = useRun((run) => run.durationUs);
  const view = useRun((run) => run.view);
  useRun((run) => run.tick);
  const events = useMemo(() => scenarioEvents(scenario), [scenario]);
  const marks = [
    ...events.map((event) => ({ ...event, kind: "flag" })),
    ...(view ? milestonesOf(view) : []).map((milestone) => ({ ...milestone, kind: "ring" })),
    ...noteMarks(scenario).flatMap(({ number, text, timeUs }) =>
      timeUs === null ? [] : [{ timeUs, label: `${number} ${text}`, kind: "note" }],
    ),
  ].sort((a, b) => a.timeUs - b.timeUs);
  return marks.map(({ timeUs, label, kind }, i) => {
    const room = ((marks[i + 1]?.timeUs ?? durationUs * 1.2) - timeUs) / durationUs;
    return (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: marks stand in their order
        key={i}
        className={`scrubber-mark scrubber-${kind}`}
        style={{ left: percent(timeUs) }}
        title={`${formatMilliseconds(timeUs)} ms: ${label}`}
      >
        {room >= LABEL_SHARE && <span>{label}</span>}
      </span>
    );
  });
}
