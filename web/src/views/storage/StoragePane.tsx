import { useMemo } from "react";
import { FreeBlocksChart, HeatMapChart } from "../../charts/device/DeviceCharts.tsx";
import { DeviceQueues } from "../../charts/device/DeviceQueues.tsx";
import { queuesHeight } from "../../charts/device/deviceQueues.ts";
import { fixed, formatDuration, formatPercent } from "../../charts/drawing/format.ts";
import { createTimeCursor, TimeAxis } from "../../charts/index.ts";
import { useEffectiveScenario, useExplanation, useRun, useScenario } from "../../panels/context.tsx";
import { deviceColumn } from "../../run/devices.ts";
import { samplesUntilNow } from "../../run/read.ts";
import type { RunView } from "../../run/types.ts";
import { CAPACITY, schedulerOf } from "../../scenario/contracts.ts";
import type { Explanation } from "../../scenario/explanation.ts";
import { valueAt } from "../../scenario/schema.ts";
import type { Scenario } from "../../scenario/types.ts";
import { Button } from "../../ui/Button.tsx";
import { type Frame, useWindowHeight } from "../../ui/media.ts";
import { useWidth } from "../../ui/useWidth.ts";
import { arbiterOf } from "../../workbench/device/arbiter.ts";
import { AXIS_HEIGHT, AXIS_SPACE, GUTTERS } from "../../workbench/layout.ts";
import { useStamp } from "../../workbench/stamp.ts";
import { planView } from "../../workbench/state/planView.ts";
import { scenarioEvents } from "../../workbench/time/milestones.ts";
import { useViews } from "../../workbench/view/viewContext.tsx";

interface StoragePaneProps {
  readonly frame: Frame;
  readonly view: RunView;
  readonly device: number;
}

/** Bars above and below, and the head of the device where it stands over the charts. */
const BARS = 48 + 72;
const HEAD = 48;
/** Title of the picture of the queues. */
const TITLE = 30;
const FREE_BLOCKS = 150;
/** The line with the effective spare share. */
const SPARE_SHARE = 34;
const MIN_MAP = 200;
/** Words in the place of the queues, and the strip of a server that is one unit. */
const CONSTANT = 96;
const ONE_UNIT = 120;

/** Queues and channels as they are now; chips and free blocks over time. */
export function StoragePane({ frame, view, device }: StoragePaneProps) {
  const scenario = useScenario();
  const shown = useEffectiveScenario();
  const explanation = useExplanation();
  const durationUs = useRun((run) => run.durationUs);
  const stamp = useStamp();
  const windowHeight = useWindowHeight();
  const [box, width] = useWidth();
  const gutters = GUTTERS[frame];
  const cursor = useMemo(createTimeCursor, []);
  const time = useMemo(() => {
    const domainUs: readonly [number, number] = [0, durationUs];
    return { run: view, domainUs, gutters, cursor, stamp, events: scenarioEvents(scenario) };
  }, [view, durationUs, gutters, cursor, stamp, scenario]);
  const { levels } = explanation.queues;
  const kind = view.layout.devices[device]?.kind ?? "ssd";
  const hasBlocks = kind === "ssd";
  const spareShare = hasBlocks ? explanation.effectiveSpareShare : null;

  const isConstant = kind === "constant-capacity";

  const queues = isConstant ? CONSTANT : TITLE + queuesHeight(width, levels.length);
  const scrolls = frame === "phone" || frame === "column";
  const below = (hasBlocks ? FREE_BLOCKS : 60) + (spareShare === null ? 0 : SPARE_SHARE);
  const room =
    windowHeight - BARS - AXIS_HEIGHT - AXIS_SPACE - (frame === "desk" ? 0 : HEAD) - queues - below;
  const map = isConstant ? ONE_UNIT : scrolls ? 260 : Math.max(MIN_MAP, room);
  const sampled = view.layout.devices[device]?.sampledByUnit ?? false;
  return (
    <div ref={box}>
      {isConstant ? (
        <OneAfterTheOther />
      ) : (
        <DeviceQueues
          run={view}
          device={device}
          levels={levels}
          arbiter={arbiterOf(shown, levels)}
          height={queues}
          stamp={stamp}
        />
      )}
      <section className="series" aria-label="Signals over time">
        {sampled ? (
          <HeatMapChart
            {...time}
            device={device}
            width={width}
            height={map}
            place={{ isFirst: true, isLast: !hasBlocks }}
          />
        ) : (
          <p className="memory-note">
            This device has more units than are sampled one by one: {view.layout.devices[device]?.units}.
          </p>
        )}
        {hasBlocks && (
          <FreeBlocksChart
            {...time}
            device={device}
            height={FREE_BLOCKS}
            place={{ isFirst: !sampled, isLast: true }}
            {...collectionOf(shown, explanation)}
            note={<WriteAmplification device={device} />}
          />
        )}
        <TimeAxis run={view} domainUs={time.domainUs} gutters={gutters} height={AXIS_HEIGHT + AXIS_SPACE} />
      </section>
      {spareShare !== null && (
        <p className="memory-note">
          Effective spare at the start: {formatPercent(spareShare)} of the pages outside free blocks hold no
          data.
        </p>
      )}
      {kind === "persistent-memory" && (
        <p className="memory-note">
          Persistent memory is written in place: there are no blocks to free, and writes are not amplified.
        </p>
      )}
    </div>
  );
}

/** How a server of constant capacity works: it has nothing inside. */
function OneAfterTheOther() {
  const views = useViews();
  const shown = useEffectiveScenario();
  const iops = Number(valueAt(shown, CAPACITY));
  const scheduler = schedulerOf(shown);
  return (
    <section className="one-server" aria-labelledby="one-server-title">
      <h2 id="one-server-title">One request after the other</h2>
      <p>
        Each takes {formatDuration(1e6 / iops, 3)}, whatever its size, and none is begun before the one before
        it is done.{" "}
        {scheduler
          ? `${scheduler.title} decides which of those that wait is next.`
          : "Those that wait are served in the order in which they came."}
      </p>
      <Button look="link" onClick={() => views.show(planView)}>
        What capacity the contracts of its tenants need
      </Button>
    </section>
  );
}

/** Blocks of a plane, and the shares of free ones at which garbage collection begins and becomes urgent. */
function collectionOf(scenario: Scenario, explanation: Explanation) {
  const number = (name: string) => {
    const path = `storage.ssd.${name}`;
    return Number(valueAt(scenario, path) ?? explanation.of(path)?.value);
  };
  const thresholds = [
    { share: number("gcThreshold"), label: "GC starts" },
    { share: number("gcHardThreshold"), label: "urgent" },
  ];
  return {
    blocksPerPlane: number("blocksPerPlane"),
    collection: thresholds
      .filter(({ share }) => share > 0)
      .map(({ share, label }) => ({ share, label: `${label} ${formatPercent(share)}` })),
  };
}

function WriteAmplification({ device }: { readonly device: number }) {
  useRun((run) => run.tick);
  const value = useRun(
    ({ view }) => view && deviceColumn(view, "writeAmplification", device)?.[samplesUntilNow(view) - 1],
  );
  return <>write amplification {fixed(value ?? Number.NaN, 2)}</>;
}
