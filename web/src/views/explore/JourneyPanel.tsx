import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import { formatDuration } from "../../charts/drawing/format.ts";
import { JourneyChart, journeySentence, MIN_STRETCH_US } from "../../charts/latency/JourneyChart.tsx";
import { type JourneyPicture, journeyHeights } from "../../charts/latency/journey.ts";
import { ZOOM_STEP, zoomed } from "../../charts/time/zooming.ts";
import type { Wish } from "../../engine/run/protocol.ts";
import { useEffectiveScenario, useRun, useSession } from "../../panels/context.tsx";
import { endUs, workAt } from "../../run/journey.ts";
import { lanesOf } from "../../run/journeyLanes.ts";
import { OPERATIONS } from "../../run/stages.ts";
import type { RunView } from "../../run/types.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { type Frame, prefersReducedMotion } from "../../ui/media.ts";
import { Select } from "../../ui/Select.tsx";
import { useWidth } from "../../ui/useWidth.ts";
import {
  type Following,
  following,
  followRequest,
  lookAt,
  pass,
  shownRange,
  stopFollowing,
  togglePlaying,
} from "../../workbench/following.ts";
import { useStamp } from "../../workbench/stamp.ts";
import { exploreView } from "../../workbench/state/exploreView.ts";
import { WISHED_OF } from "../../workbench/state/wishField.ts";
import { useViews } from "../../workbench/view/viewContext.tsx";
import "./JourneyPanel.css";

/** Room for the names of the places. */
const NAMES: Readonly<Record<Frame, number>> = { desk: 132, tablet: 116, column: 116, phone: 96 };
/** Header, sentence and what is going on. */
const AROUND = 104;

interface JourneyPanelProps {
  readonly frame: Frame;
  readonly view: RunView;
  readonly wish: Wish;
  /** Height that is left for it. */
  readonly height: number;
}

/** One request on its way, in the place of the charts of all. */
export default function JourneyPanel({ frame, view, wish, height }: JourneyPanelProps) {
  const session = useSession();
  const phase = useRun((run) => run.phase);
  const generation = useRun((run) => run.generation);
  const standsAt = useRun(({ phase, nowUs }) => (phase === "paused" ? nowUs : -1));
  const changes = useRun(({ changesInForce }) => changesInForce);
  const state = useStore(following);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again whenever the run stands elsewhere
  useEffect(() => {
    if (standsAt >= 0) void followRequest(session, wish, !prefersReducedMotion());
  }, [session, wish, standsAt, generation, changes]);
  useEffect(() => {
    if (!state.playing) return;
    let last = performance.now();
    let frameId = requestAnimationFrame(function tick(now) {
      pass(now - last);
      last = now;
      frameId = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(frameId);
  }, [state.playing]);
  return (
    <section className="journey" aria-labelledby="journey-title" aria-busy={state.searching}>
      <JourneyHead view={view} wish={wish} state={state} />
      {phase === "ended" ? (
        <AtTheEnd />
      ) : phase === "running" ? (
        <p className="journey-note">
          The run goes on.{" "}
          <Button look="link" onClick={() => session.pause()}>
            Pause it
          </Button>{" "}
          to follow a request from there.
        </p>
      ) : null}
      {state.journey ? (
        <Found frame={frame} view={view} state={state} height={height - AROUND} />
      ) : (
        phase === "paused" && !state.searching && <Nobody wish={wish} view={view} />
      )}
    </section>
  );
}

/** Which request, and how it is looked at. */
function JourneyHead({
  view,
  wish,
  state,
}: {
  readonly view: RunView;
  readonly wish: Wish;
  readonly state: Following;
}) {
  const views = useViews();
  const change = (next: Partial<Wish>) => views.change(exploreView, { follow: { ...wish, ...next } });
  const { journey, range } = state;
  const zoomBy = (factor: number) => () => {
    if (!journey) return;
    const { issuedUs } = journey.moments;
    const bounds = { wholeUs: endUs(journey) - issuedUs, minUs: MIN_STRETCH_US };
    following.setState({ range: zoomed(shownRange(state), factor, state.us - issuedUs, bounds) });
  };
  return (
    <header>
      <h2 id="journey-title">One request</h2>
      <Select
        aria-label="Class of the request"
        value={String(wish.class)}
        options={view.classes.map(({ name }, i) => ({ value: String(i), title: name }))}
        onChange={(next) => change({ class: Number(next) })}
      />
      <Select
        aria-label="Which request"
        value={String(wish.of)}
        options={WISHED_OF.map((of) => ({
          value: String(of),
          title: of === 1 ? "the next" : `slowest of next ${of}`,
        }))}
        onChange={(next) => change({ of: Number(next) })}
      />
      <Select
        aria-label="Reads or writes"
        value={wish.operation}
        options={OPERATIONS.toReversed().map((value) => ({
          value,
          title: value === "all" ? "reads and writes" : value,
        }))}
        onChange={(next) => change({ operation: OPERATIONS.find((item) => item === next) ?? "all" })}
      />
      <span className="journey-tools">
        {journey && (
          <>
            <IconButton
              icon={state.playing ? "pause" : "play"}
              label={state.playing ? "Stop slow motion" : "Slow motion"}
              onClick={togglePlaying}
            />
            <IconButton icon="zoomIn" label="Zoom in on the request" onClick={zoomBy(1 / ZOOM_STEP)} />
            <IconButton icon="zoomOut" label="Zoom out of the request" onClick={zoomBy(ZOOM_STEP)} />
            {range && (
              <IconButton
                icon="wholeRun"
                label="Whole request"
                onClick={() => following.setState({ range: null })}
              />
            )}
          </>
        )}
        <IconButton icon="close" label="Back to the charts" onClick={() => stopFollowing(views)} />
      </span>
    </header>
  );
}

/** A request that was found: in words, as a picture, and what goes on at the instant that is looked at. */
function Found({
  frame,
  view,
  state,
  height,
}: {
  readonly frame: Frame;
  readonly view: RunView;
  readonly state: Following;
  readonly height: number;
}) {
  const stamp = useStamp();
  const [box, width] = useWidth();
  const { journey } = state;
  const lanes = useMemo(() => (journey ? lanesOf(journey, view.layout) : []), [journey, view.layout]);
  if (!journey) return null;
  const { nodes } = view.layout.graph;
  const name = (node: number) => nodes[node]?.name ?? "";
  const { name: className = "", kindIndex = 0 } = view.classes[journey.class] ?? {};
  const sentence = journeySentence(
    journey,
    [className, name(journey.from), name(journey.to)],
    view.layout.stages,
  );
  const picture: JourneyPicture = {
    journey,
    lanes,
    kindIndex,
    range: shownRange(state),
    left: width > 0 ? Math.min(NAMES[frame], width / 3) : NAMES[frame],
  };
  const { least, most } = journeyHeights(lanes.length);
  const since = state.us - journey.moments.issuedUs;
  return (
    <div ref={box}>
      <p className="journey-sentence">{sentence}</p>
      <JourneyChart
        picture={picture}
        sentence={sentence}
        height={Math.max(least, Math.min(most, height))}
        us={state.us}
        onSeek={lookAt}
        onShow={(range) => following.setState({ range })}
        stamp={stamp}
      />
      <p className="note journey-now">
        {`${formatDuration(since)} after it was issued: ${happening(state.us, journey, lanes)}`}
        {journey.packetsLeftOut > 0 && `. ${journey.packetsLeftOut} further packets are not drawn`}
      </p>
    </div>
  );
}

/** What goes on at an instant, in a few words. */
function happening(
  us: number,
  journey: NonNullable<Following["journey"]>,
  lanes: ReturnType<typeof lanesOf>,
) {
  const work = workAt(journey, us);
  if (work) return work;
  const places = lanes
    .filter(({ bars }) => bars.some(({ fromUs, toUs }) => fromUs <= us && us < toUs))
    .map(({ title }) => title);
  if (places.length === 0) return us >= endUs(journey) ? "it is done" : "between two places";
  const shown = places.slice(0, 3).join("; ");
  return places.length > 3 ? `${shown} and ${places.length - 3} more places` : shown;
}

/** The run is over: nothing more is issued. */
function AtTheEnd() {
  const session = useSession();
  const durationUs = useRun((run) => run.durationUs);
  return (
    <p className="journey-note">
      The run is at its end.{" "}
      <Button look="link" onClick={() => session.seek(durationUs / 2)}>
        Go back to its middle
      </Button>{" "}
      to follow a request from there.
    </p>
  );
}

/** There was no request to follow. */
function Nobody({ wish, view }: { readonly wish: Wish; readonly view: RunView }) {
  const scenario = useEffectiveScenario();
  const name = view.classes[wish.class]?.name ?? "";
  const traffic = scenario.workloads.filter((workload) => workload.class === name);
  const endless = traffic.length > 0 && traffic.every((workload) => workload.traffic.kind === "backlogged");
  const kind = wish.operation === "all" ? "requests" : wish.operation;
  return (
    <p className="journey-note">
      {endless
        ? `${name} sends data without end: it has no single requests.`
        : `${name} issues no ${kind} from here to the end of the run.`}
    </p>
  );
}
