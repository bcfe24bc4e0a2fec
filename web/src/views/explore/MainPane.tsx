import { type ReactNode, Suspense, useMemo } from "react";
import { useStore } from "zustand";
import { type ChartChoice, createTimeCursor, StackedChart, TimeAxis } from "../../charts/index.ts";
import { NoteAxis } from "../../charts/notes/NoteAxis.tsx";
import type { ExportStamp } from "../../charts/types.ts";
import {
  useEffectiveScenario,
  useExplanation,
  useRun,
  useScenario,
  useSession,
} from "../../panels/context.tsx";
import { chooseNote, noteMarks, noting } from "../../panels/noting.ts";
import { LockNote, Settings } from "../../panels/Settings.tsx";
import { marks } from "../../scenario/marking.ts";
import { valueAt } from "../../scenario/schema.ts";
import { Deferred } from "../../ui/Deferred.tsx";
import { type Frame, useWindowHeight } from "../../ui/media.ts";
import { late } from "../../ui/onDemand.tsx";
import { part } from "../../ui/part.tsx";
import { AXIS_HEIGHT, AXIS_SPACE, fabricRoom, GUTTERS, mainPaneHeights } from "../../workbench/layout.ts";
import { useStamp } from "../../workbench/stamp.ts";
import { exploreView, STACK } from "../../workbench/state/exploreView.ts";
import { scenarioEvents, thresholdSteps } from "../../workbench/time/milestones.ts";
import { useTimeZoom } from "../../workbench/time/timeRange.ts";
import { ZoomButtons } from "../../workbench/time/ZoomButtons.tsx";
import { useEmbed, useShown, useViewState } from "../../workbench/view/viewContext.tsx";
import { FabricPanel } from "./FabricPanel.tsx";
import { useIsEditing } from "./network/WatchOrEdit.tsx";
import { Story } from "./Story.tsx";
import "./MainPane.css";

const JourneyPanel = late(() => import("./JourneyPanel.tsx"));

const NetworkText = part(() => import("./network/NetworkText.tsx"));

/** Heights of the bars above and below, and of those of an embed. */
const BARS = 48 + 72;
const BARS_OF_EMBED = 72 + 32;
/** The machine, and its signals over time. */
export function MainPane({ frame }: { readonly frame: Frame }) {
  const shown = useEffectiveScenario();
  const view = useRun((run) => run.view);
  const [{ follow, tables }] = useViewState(exploreView);
  const isText = useIsEditing(frame) && tables;
  const parts = useShown();
  const bars = useEmbed() ? BARS_OF_EMBED : BARS;
  const story = parts.settings && (frame === "tablet" ? !parts.results : frame !== "desk");
  const heights = mainPaneHeights(frame, useWindowHeight() - bars, fabricRoom(shown.topology.shape), parts);
  const stamp = useStamp();
  const below = heights.charts.reduce((sum, chart) => sum + chart, AXIS_HEIGHT + AXIS_SPACE);
  return (
    <div className="main-pane">
      {story && (
        <Settings>
          {frame !== "phone" && <LockNote />}
          <Story />
        </Settings>
      )}
      {parts.fabric && <FabricPanel frame={frame} height={heights.fabric} stamp={stamp} />}
      {view && isText && (
        <Suspense fallback={<div style={{ height: below }} />}>
          <NetworkText view={view} height={below} stamp={stamp} />
        </Suspense>
      )}
      {view && parts.charts && !isText && follow && (
        <JourneyPanel frame={frame} view={view} wish={follow} height={below} />
      )}
      {view && parts.charts && !isText && !follow && (
        <Signals frame={frame} heights={heights.charts} stamp={stamp} />
      )}
    </div>
  );
}

interface SignalsProps {
  readonly frame: Frame;
  readonly heights: readonly number[];
  readonly stamp: ExportStamp;
}

/** The stacked charts over one time axis. */
function Signals({ frame, heights, stamp }: SignalsProps) {
  const session = useSession();
  const scenario = useScenario();
  const shown = useEffectiveScenario();
  const explanation = useExplanation();
  const view = useRun((run) => run.view);
  const ghost = useRun((run) => run.ghost);
  const durationUs = useRun((run) => run.durationUs);
  const cursor = useMemo(createTimeCursor, []);
  const gutters = GUTTERS[frame];
  const events = useMemo(() => scenarioEvents(scenario), [scenario]);
  const notes = useMemo(() => noteMarks(scenario), [scenario]);
  const chosen = useStore(noting, (state) => state.chosen);
  const range = useTimeZoom(durationUs);
  const time = useMemo(() => {
    const { domainUs = [0, durationUs] as const, zoom } = range ?? {};
    return { domainUs, zoom, gutters, cursor, ghost, stamp, events, notes };
  }, [durationUs, range, gutters, cursor, ghost, stamp, events, notes]);
  const isMarking = marks(shown);
  const bufferPackets = Number(valueAt(shown, "switch.bufferPackets"));
  const port = useMemo(
    () => ({ thresholds: isMarking ? thresholdSteps(scenario) : [], bufferPackets }),
    [scenario, isMarking, bufferPackets],
  );
  const [{ charts }, change] = useViewState(exploreView);
  const choose = (at: number, next: ChartChoice) =>
    change({ charts: charts.map((choice, i) => (i === at ? next : choice)) });
  if (!view) return null;
  return (
    <section className="series" aria-label="Signals over time">
      {charts.map((choice, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a place in the stack, whatever it shows
        <Later key={i} height={heights[i] ?? 0}>
          <StackedChart
            run={view}
            height={heights[i] ?? 0}
            place={{ isFirst: i === 0, isLast: i === charts.length - 1 }}
            {...time}
            port={port}
            choice={choice}
            otherwise={STACK[i]?.subject ?? ""}
            reason={explanation.missing}
            onChoose={(next) => choose(i, next)}
          />
        </Later>
      ))}
      <div className="axis-row">
        <TimeAxis
          run={view}
          domainUs={time.domainUs}
          zoom={time.zoom}
          gutters={gutters}
          height={AXIS_HEIGHT + AXIS_SPACE}
        />
        <NoteAxis
          notes={notes}
          domainUs={time.domainUs}
          gutters={gutters}
          chosen={chosen}
          onChoose={(number) => chooseNote(session, number)}
        />
        {range && <ZoomButtons {...range} />}
      </div>
    </section>
  );
}

/** A chart that appears in its turn, its place kept free. */
function Later({ height, children }: { readonly height: number; readonly children: ReactNode }) {
  return (
    <div className="series-chart" style={{ height }}>
      <Deferred>{children}</Deferred>
    </div>
  );
}
