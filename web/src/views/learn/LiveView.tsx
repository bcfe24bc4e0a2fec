import { type ReactNode, useMemo, useState } from "react";
import { HeatMapChart } from "../../charts/device/DeviceCharts.tsx";
import { DeviceQueues } from "../../charts/device/DeviceQueues.tsx";
import { queuesHeight } from "../../charts/device/deviceQueues.ts";
import type { ChartChoice } from "../../charts/form.ts";
import { createTimeCursor, LatencyChart, StackedChart, TimeAxis } from "../../charts/index.ts";
import { choiceOf } from "../../charts/registry.ts";
import type { SharedAxis } from "../../charts/time/chartModel.ts";
import type { Expectation, FabricKind, Gutters, Magnified } from "../../charts/types.ts";
import type { Picture } from "../../generated/answers.d.ts";
import {
  useEffectiveScenario,
  useExplanation,
  useRun,
  useScenario,
  useSession,
} from "../../panels/context.tsx";
import { DeadlinesPanel } from "../../panels/DeadlinesPanel.tsx";
import { NowTable } from "../../panels/NowTable.tsx";
import { type StageChoice, StagesPanel } from "../../panels/StagesPanel.tsx";
import type { RunView } from "../../run/types.ts";
import { deadlinesOf } from "../../scenario/classes.ts";
import { markingThreshold, marks } from "../../scenario/marking.ts";
import { valueAt } from "../../scenario/schema.ts";
import { FabricView } from "../../topology/index.ts";
import { WHOLE } from "../../topology/magnified.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { type Frame, prefersReducedMotion } from "../../ui/media.ts";
import { useHeight } from "../../ui/useHeight.ts";
import { useWidth } from "../../ui/useWidth.ts";
import { arbiterOf } from "../../workbench/device/arbiter.ts";
import { ServicePanel } from "../../workbench/device/ServicePanel.tsx";
import { PACKET_SPEED, shapeText } from "../../workbench/fabric.ts";
import { AXIS_HEIGHT, AXIS_SPACE, FABRIC_HEADER, GUTTERS } from "../../workbench/layout.ts";
import { useStamp } from "../../workbench/stamp.ts";
import { scenarioEvents, thresholdSteps } from "../../workbench/time/milestones.ts";
import { LessonPlot } from "./LessonPicture.tsx";

/** What stands beside the text where a step does not say. */
const USUAL = ["fabric", "throughput", "queue"];

/** Least heights, and parts of the height that there is. Where the page scrolls they have the first. */
const SIZES = {
  fabric: { least: 200, part: 3.2 },
  chart: { least: 116, part: 1.6 },
  tail: { least: 176, part: 2.4 },
  device: { least: 180, part: 2.4 },
};
const PHONE = { fabric: 168, chart: 152, tail: 260, device: 220 };

/** Heights of the step's own plot. */
const PICTURE = { alone: 420, beside: 220 };

/** Title of the picture of the queues. */
const QUEUES_TITLE = 30;

interface Block {
  readonly of: string;
  /** Of charts over time. */
  readonly names?: readonly string[];
}

const ALONE: readonly RunView[] = [];

/** What is shown from the top: charts over time that follow each other share an axis. */
export function blocksOf(show: readonly string[]): readonly Block[] {
  const blocks: { of: string; names?: string[] }[] = [];
  for (const name of show) {
    const last = blocks.at(-1);
    if (choiceOf(name) === undefined) blocks.push({ of: name });
    else if (last?.names) last.names.push(name);
    else blocks.push({ of: "charts", names: [name] });
  }
  return blocks;
}

interface LiveViewProps {
  readonly show: readonly string[] | undefined;
  readonly frame: Frame;
  /** The step's own plot, once it is there. */
  readonly picture?: Picture | null;
  readonly expected?: Expectation | null;
  /** Nothing is to be seen of results before the question is answered. */
  readonly waits?: boolean;
  /** It has half of the width. */
  readonly isNarrow?: boolean;
  readonly shared?: Shared;
}

/** What a run has in common with others beside it: the axes of its charts, and these runs. */
interface Shared {
  readonly axisOf: (shown: string) => SharedAxis;
  readonly beside: readonly RunView[];
}

/** The run of a step, as the step wants it shown. */
export function LiveView(props: LiveViewProps) {
  const {
    show = USUAL,
    frame,
    picture = null,
    expected = null,
    waits = false,
    isNarrow = false,
    shared,
  } = props;
  const gutters = GUTTERS[isNarrow && frame === "desk" ? "tablet" : frame];
  const view = useRun((run) => run.view);
  const blocks = useMemo(() => blocksOf(show), [show]);
  const scrolls = frame === "phone" || frame === "column";
  if (!view) return <div className="live-blocks" aria-busy="true" />;
  return (
    <div className="live-blocks">
      <Stopped />
      {blocks.map((block, at) => {
        const key = `${at} ${block.of}`;
        const { names } = block;
        if (names)
          return (
            <Sized
              key={key}
              of="chart"
              count={names.length}
              scrolls={scrolls}
              extra={AXIS_HEIGHT + AXIS_SPACE}
            >
              {(height) => (
                <ChartStack
                  run={view}
                  names={names}
                  height={height}
                  gutters={gutters}
                  expected={expected}
                  {...(shared && { shared })}
                />
              )}
            </Sized>
          );
        return (
          <LiveBlock
            key={key}
            of={block.of}
            run={view}
            scrolls={scrolls}
            picture={picture}
            waits={waits}
            beside={shared?.beside ?? ALONE}
            isAlone={blocks.length === 1}
            isNarrow={isNarrow || scrolls}
            expected={expected}
          />
        );
      })}
    </div>
  );
}

/** Where the engine of the run is gone: what is kept, and how to go on. */
function Stopped() {
  const session = useSession();
  const trapped = useRun((run) => run.trapped);
  if (!trapped) return null;
  return (
    <p className="live-stopped" role="alert">
      <Icon name="warning" />{" "}
      {trapped.unfetched ? "The engine could not be fetched." : "The engine of this run has stopped."} Your
      answers are kept. <Button onClick={session.restart}>Run again</Button>
    </p>
  );
}

interface SizedProps {
  readonly of: keyof typeof SIZES;
  readonly count?: number;
  readonly extra?: number;
  readonly scrolls: boolean;
  readonly children: (height: number) => ReactNode;
}

/** A part that takes its share of the height. */
function Sized({ of, count = 1, extra = 0, scrolls, children }: SizedProps) {
  const { least, part } = SIZES[of];
  const first = (scrolls ? PHONE[of] : least) * count + extra;
  const [box, height] = useHeight(first);
  return (
    <div
      ref={box}
      className="live-block"
      style={scrolls ? { flex: `none`, height: first } : { flex: `${part * count} 0 ${first}px` }}
    >
      {children(scrolls ? first : height)}
    </div>
  );
}

interface LiveBlockProps {
  readonly of: string;
  readonly run: RunView;
  readonly scrolls: boolean;
  readonly picture: Picture | null;
  readonly waits: boolean;
  readonly expected: Expectation | null;
  readonly beside: readonly RunView[];
  /** Nothing else stands in the view. */
  readonly isAlone: boolean;
  readonly isNarrow: boolean;
}

function LiveBlock(props: LiveBlockProps) {
  const { of, run, scrolls, picture, waits, expected, beside, isAlone, isNarrow } = props;
  const [stages, choose] = useState<StageChoice>({ statistic: "mean", operation: "all" });
  switch (of) {
    case "fabric":
      return (
        <Sized of="fabric" scrolls={scrolls}>
          {(height) => <Fabric run={run} height={height} />}
        </Sized>
      );
    case "tail":
      return (
        <Sized of="tail" scrolls={scrolls} extra={FABRIC_HEADER.fine}>
          {(height) => <Tail run={run} height={height} expected={expected} beside={beside} />}
        </Sized>
      );
    case "stages":
      return <StagesPanel {...stages} onChange={(next) => choose({ ...stages, ...next })} />;
    case "deadlines":
      return <DeadlinesPanel />;
    case "now":
      return <NowTable />;
    case "device":
      return (
        <Sized of="device" scrolls={scrolls} extra={AXIS_HEIGHT + AXIS_SPACE}>
          {(height) => <Chips run={run} height={height} />}
        </Sized>
      );
    case "arbitration":
      return <Arbitration run={run} isNarrow={isNarrow} />;
    case "picture":
      return (
        <div className="live-picture">
          <LessonPlot picture={picture} waits={waits} height={isAlone ? PICTURE.alone : PICTURE.beside} />
        </div>
      );
    default:
      return (
        <p className="live-unknown" role="status">
          The lesson asks to show “{of}”, which this page does not have.
        </p>
      );
  }
}

/** The network, to be looked at. */
function Fabric({ run, height }: { readonly run: RunView; readonly height: number }) {
  const shown = useEffectiveScenario();
  const speed = useRun(({ speed }) => speed);
  const stamp = useStamp();
  const [tables, setTables] = useState(false);
  const [magnified, setMagnified] = useState<Magnified>(WHOLE);
  const { shape } = shown.topology;
  return (
    <section className="fabric" aria-labelledby="live-fabric-title" style={{ height }}>
      <header>
        <h2 id="live-fabric-title">
          Fabric <span className="note">{shapeText(shape)}</span>
        </h2>
        <span className="spring" />
        <IconButton
          icon="list"
          label={tables ? "Fabric as picture" : "Fabric as tables"}
          aria-pressed={tables}
          onClick={() => setTables(!tables)}
        />
      </header>
      <FabricView
        run={run}
        kind={shape.kind satisfies FabricKind}
        height={height - FABRIC_HEADER.fine}
        thresholdPackets={markingThreshold(shown)}
        packets={speed <= PACKET_SPEED}
        reducedMotion={prefersReducedMotion()}
        pauses={valueAt(shown, "switch.buffering") === "pfc"}
        failed={shown.topology.failedLinks ?? []}
        showTables={tables}
        onToggleTables={() => setTables(!tables)}
        isSelectable={() => false}
        magnified={magnified}
        onMagnify={setMagnified}
        stamp={stamp}
      />
    </section>
  );
}

/** What all charts over time of a run have in common. */
function useTimeProps(gutters: Gutters) {
  const scenario = useScenario();
  const shown = useEffectiveScenario();
  const durationUs = useRun((run) => run.durationUs);
  const ghost = useRun((run) => run.ghost);
  const stamp = useStamp();
  const cursor = useMemo(createTimeCursor, []);
  const events = useMemo(() => scenarioEvents(scenario), [scenario]);
  const isMarking = marks(shown);
  const bufferPackets = Number(valueAt(shown, "switch.bufferPackets"));
  const port = useMemo(
    () => ({ thresholds: isMarking ? thresholdSteps(scenario) : [], bufferPackets }),
    [scenario, isMarking, bufferPackets],
  );
  return useMemo(
    () => ({ domainUs: [0, durationUs] as const, gutters, cursor, ghost, stamp, events, port }),
    [durationUs, gutters, cursor, ghost, stamp, events, port],
  );
}

interface ChartStackProps {
  readonly run: RunView;
  readonly names: readonly string[];
  /** Of all together, the time axis included. */
  readonly height: number;
  readonly gutters: Gutters;
  readonly expected: Expectation | null;
  readonly shared?: Shared;
}

/** Charts over one time axis. What each shows can be chosen, as everywhere. */
function ChartStack({ run, names, height, gutters, expected, shared }: ChartStackProps) {
  const explanation = useExplanation();
  const time = useTimeProps(gutters);
  const [chosen, setChosen] = useState<ReadonlyMap<number, ChartChoice>>(new Map());
  const each = Math.floor((height - AXIS_HEIGHT - AXIS_SPACE) / names.length);
  return (
    <section className="series" aria-label="Signals over time">
      {names.map((name, at) => {
        const choice = chosen.get(at) ?? choiceOf(name);
        if (!choice) return null;
        return (
          <div key={name} className="series-chart" style={{ height: each }}>
            <StackedChart
              run={run}
              height={each}
              place={{ isFirst: at === 0, isLast: at === names.length - 1 }}
              {...time}
              {...(shared && {
                axis: shared.axisOf(`${choice.subject} ${choice.by}`),
                beside: shared.beside,
              })}
              expected={expected}
              choice={choice}
              otherwise="throughput"
              reason={explanation.missing}
              onChoose={(next) => setChosen(new Map(chosen).set(at, next))}
            />
          </div>
        );
      })}
      <TimeAxis run={run} domainUs={time.domainUs} gutters={gutters} height={AXIS_HEIGHT + AXIS_SPACE} />
    </section>
  );
}

function Tail({
  run,
  height,
  expected,
  beside,
}: {
  readonly run: RunView;
  readonly height: number;
  readonly expected: Expectation | null;
  readonly beside: readonly RunView[];
}) {
  const shown = useEffectiveScenario();
  const stamp = useStamp();
  const deadlines = useMemo(() => deadlinesOf(shown), [shown]);
  return (
    <section className="latency live-tail" aria-labelledby="live-tail-title">
      <header>
        <h2 id="live-tail-title">
          Request latency <span className="note">share of requests slower than</span>
        </h2>
      </header>
      <LatencyChart
        run={run}
        height={height - FABRIC_HEADER.fine}
        deadlines={deadlines}
        expected={expected}
        beside={beside}
        stamp={stamp}
      />
    </section>
  );
}

/** The chips of the first device over time. */
function Chips({ run, height }: { readonly run: RunView; readonly height: number }) {
  const time = useTimeProps(GUTTERS.desk);
  const [box, width] = useWidth();
  if (!run.layout.devices[0]?.sampledByUnit) return null;
  return (
    <section ref={box} className="series" aria-label="Chips over time">
      <HeatMapChart
        run={run}
        {...time}
        device={0}
        width={width}
        height={height - AXIS_HEIGHT - AXIS_SPACE}
        place={{ isFirst: true, isLast: true }}
      />
      <TimeAxis run={run} domainUs={time.domainUs} gutters={time.gutters} height={AXIS_HEIGHT + AXIS_SPACE} />
    </section>
  );
}

/** The queues of the first device, and what each class gets of it. */
function Arbitration({ run, isNarrow }: { readonly run: RunView; readonly isNarrow: boolean }) {
  const shown = useEffectiveScenario();
  const { levels } = useExplanation().queues;
  const stamp = useStamp();
  const [box, width] = useWidth();
  if (run.layout.devices.length === 0) return null;
  return (
    <div className="live-arbitration" data-narrow={isNarrow || undefined}>
      <div ref={box}>
        <DeviceQueues
          run={run}
          device={0}
          levels={levels}
          arbiter={arbiterOf(shown, levels)}
          height={QUEUES_TITLE + queuesHeight(width, levels.length)}
          stamp={stamp}
        />
      </div>
      <ServicePanel view={run} hasQueues />
    </div>
  );
}
