import { useMemo, useRef, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { createTimeCursor, StackedChart, TimeAxis } from "../../charts/index.ts";
import { createSharedAxis, type SharedAxis } from "../../charts/time/chartModel.ts";
import type { Gutters } from "../../charts/types.ts";
import type { Session } from "../../engine/run/session.ts";
import { useRun, useScenario, useSession } from "../../panels/context.tsx";
import type { RunView } from "../../run/types.ts";
import { marks } from "../../scenario/marking.ts";
import { valueAt } from "../../scenario/schema.ts";
import { scenarioOf } from "../../scenario/store.ts";
import { inForce } from "../../scenario/timeline.ts";
import { transportName, transportOf } from "../../scenario/transports.ts";
import type { Scenario } from "../../scenario/types.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { type Frame, useWindowHeight } from "../../ui/media.ts";
import { AXIS_HEIGHT, AXIS_SPACE, GUTTERS } from "../../workbench/layout.ts";
import { stampOf } from "../../workbench/stamp.ts";
import { compareView } from "../../workbench/state/compareView.ts";
import { exploreView, STACK } from "../../workbench/state/exploreView.ts";
import { scenarioEvents, thresholdSteps } from "../../workbench/time/milestones.ts";
import { useTimeZoom } from "../../workbench/time/timeRange.ts";
import { ZoomButtons } from "../../workbench/time/ZoomButtons.tsx";
import { useViewState, useViews } from "../../workbench/view/viewContext.tsx";
import { letterOf } from "./letters.ts";
import type { Rivals } from "./rivals.ts";

/** Of the columns where there are three of them. */
const NARROW: Gutters = { left: 44, right: 96 };
const HEAD = 64;
const BARS = 48 + 72;
/** Parts of the height that the stacked charts take. */
const PARTS = [0.38, 0.33, 0.29];
const MIN_HEIGHTS = [132, 116, 108];
const PHONE = [172, 152, 140];
/** Columns at the most: four runs stand two by two. */
const COLUMNS = 3;

interface ComparedRunsProps {
  readonly rivals: Rivals;
  readonly frame: Frame;
}

/** The runs side by side over the same axes, the current one last. */
export function ComparedRuns({ rivals: { rivals, refusal }, frame }: ComparedRunsProps) {
  const current = useSession();
  const [{ baselines, shown }] = useViewState(compareView);
  const durationUs = Math.max(
    useRun((run) => run.durationUs),
    ...rivals.map(({ scenario }) => scenario.durationUs),
  );
  const range = useTimeZoom(durationUs);
  const runs = [...rivals.map(({ session }) => session), current];
  const views = useRunViews(runs);
  const isShown = (place: number) => frame !== "phone" || shown === String(place);
  const cursor = useMemo(createTimeCursor, []);
  // Other runs may need other axes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const axes = useMemo((): Axes => new Map(), [baselines]);
  return (
    <div className="compare-runs">
      {refusal !== null && <p className="compare-wait">A scenario to compare with cannot run. {refusal}</p>}
      {refusal === null && rivals.length < baselines.length && (
        <p className="compare-wait" role="status">
          The run to compare with is being laid out.
        </p>
      )}
      {runs.map(
        (session, place) =>
          isShown(place) && (
            <RunColumn
              key={letterOf(place)}
              place={place}
              session={session}
              isCurrent={session === current}
              durationUs={durationUs}
              range={range}
              cursor={cursor}
              axes={axes}
              beside={views}
              frame={frame}
              count={runs.length}
            />
          ),
      )}
    </div>
  );
}

/** The views of the runs that have begun; the same list as long as they are the same. */
function useRunViews(sessions: readonly Session[]): readonly RunView[] {
  const known = useRef<readonly RunView[]>([]);
  return useSyncExternalStore(
    (listener) => {
      const stops = sessions.map(({ run }) => run.subscribe(listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    () => {
      const views = sessions.flatMap(({ run }) => run.getState().view ?? []);
      const isSame =
        views.length === known.current.length && views.every((view, i) => view === known.current[i]);
      if (!isSame) known.current = views;
      return known.current;
    },
  );
}

/** The axes that the runs share, by what is shown. */
type Axes = Map<string, SharedAxis>;

function axisOf(axes: Axes, shown: string): SharedAxis {
  const axis = axes.get(shown) ?? createSharedAxis();
  axes.set(shown, axis);
  return axis;
}

interface RunColumnProps {
  readonly place: number;
  readonly session: Session;
  readonly isCurrent: boolean;
  readonly durationUs: number;
  readonly range: ReturnType<typeof useTimeZoom>;
  readonly cursor: ReturnType<typeof createTimeCursor>;
  readonly axes: Axes;
  /** All runs that are compared. */
  readonly beside: readonly RunView[];
  readonly frame: Frame;
  readonly count: number;
}

function RunColumn(props: RunColumnProps) {
  const { place, session, isCurrent, durationUs, range, cursor, axes, beside, frame, count } = props;
  const scenario = useStore(session.store, scenarioOf);
  const view = useStore(session.run, (run) => run.view);
  const explanation = useStore(session.run, (run) => run.explanation);
  const changes = useStore(session.run, (run) => run.changesInForce);
  const [{ charts }, change] = useViewState(compareView);
  const gutters =
    frame === "desk" && count === COLUMNS ? NARROW : GUTTERS[frame === "desk" ? "tablet" : frame];
  const room = (useWindowHeight() - BARS) / (count > COLUMNS ? 2 : 1) - HEAD - AXIS_HEIGHT - AXIS_SPACE;
  const heights =
    frame === "phone"
      ? PHONE
      : PARTS.map((part, i) => Math.max(MIN_HEIGHTS[i] ?? 0, Math.floor(part * room)));
  const stamp = useMemo(() => stampOf(scenario, view?.layout), [scenario, view]);
  const events = useMemo(() => scenarioEvents(scenario), [scenario]);
  const time = useMemo(() => {
    const { domainUs = [0, durationUs] as const, zoom } = range ?? {};
    return { domainUs, zoom, gutters, cursor, stamp, events };
  }, [durationUs, range, gutters, cursor, stamp, events]);
  const port = useMemo(
    () => ({
      thresholds: marks(scenario) ? thresholdSteps(scenario) : [],
      bufferPackets: Number(valueAt(scenario, "switch.bufferPackets")),
    }),
    [scenario],
  );
  return (
    <section className="compare-run" aria-label={`Run ${letterOf(place)}`}>
      <RunHead place={place} scenario={inForce(scenario, changes)} isCurrent={isCurrent} />
      {view && (
        <div className="series">
          {charts.map((choice, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a place in the stack, whatever it shows
            <div key={i} className="series-chart" style={{ height: heights[i] }}>
              <StackedChart
                run={view}
                height={heights[i] ?? 0}
                place={{ isFirst: i === 0, isLast: i === charts.length - 1 }}
                {...time}
                port={port}
                axis={axisOf(axes, `${choice.subject} ${choice.by}`)}
                beside={beside}
                choice={choice}
                otherwise={STACK[i]?.subject ?? ""}
                reason={explanation.missing}
                onChoose={(next) => change({ charts: charts.map((item, at) => (at === i ? next : item)) })}
              />
            </div>
          ))}
          <div className="axis-row">
            <TimeAxis
              run={view}
              domainUs={time.domainUs}
              zoom={time.zoom}
              gutters={gutters}
              height={AXIS_HEIGHT + AXIS_SPACE}
            />
            {range && isCurrent && <ZoomButtons {...range} />}
          </div>
        </div>
      )}
    </section>
  );
}

interface RunHeadProps {
  readonly place: number;
  readonly scenario: Scenario;
  readonly isCurrent: boolean;
}

/** Which run it is, and what may be done with it. */
function RunHead({ place, scenario, isCurrent }: RunHeadProps) {
  const views = useViews();
  const current = useScenario();
  const [{ baselines }, change] = useViewState(compareView);
  const letter = letterOf(place);
  const title = isCurrent ? "Current" : "Baseline, pinned";
  const other = isCurrent
    ? String((baselines[0] as { name?: unknown } | undefined)?.name ?? "")
    : current.name;
  return (
    <header className="compare-head">
      <span className={isCurrent ? "compare-letter compare-letter-current" : "compare-letter"}>{letter}</span>
      <div>
        <h2 title={scenario.name}>{scenario.name === other ? title : ownPart(scenario.name, other)}</h2>
        <p className="note">{transportsText(scenario)}</p>
      </div>
      {isCurrent ? (
        <Button onClick={() => views.show(exploreView)}>Open in Explore</Button>
      ) : (
        <IconButton
          icon="close"
          label={`Remove ${letter}`}
          onClick={() => change({ baselines: baselines.filter((_, at) => at !== place) })}
        />
      )}
    </header>
  );
}

/** What a name has behind the words that it shares with another one: "DCTCP" of "Late flows with DCTCP" beside "Late flows with QTCP". */
function ownPart(name: string, other: string): string {
  const words = name.split(" ");
  const others = other.split(" ");
  const shared = words.findIndex((word, at) => word !== others[at]);
  return shared > 0 ? words.slice(shared).join(" ") : name;
}

/** "QTCP for all classes, seed 10". */
function transportsText(scenario: Scenario): string {
  const names = scenario.classes.map((_, i) => transportName(transportOf(scenario, i)));
  const [first = ""] = names;
  const one = names.every((name) => name === first);
  const said = one
    ? `${first}${names.length > 1 ? " for all classes" : ""}`
    : scenario.classes.map(({ name }, i) => `${name} ${names[i]}`).join(", ");
  return `${said}, seed ${String(valueAt(scenario, "seed"))}`;
}
