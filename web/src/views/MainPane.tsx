import { type ReactNode, useMemo } from "react";
import { useStore } from "zustand";
import { createTimeCursor, QueueChart, SignalChart, ThroughputChart, TimeAxis } from "../charts/index.ts";
import type { ExportStamp } from "../charts/types.ts";
import { useEffectiveScenario, useRun, useScenario } from "../panels/context.tsx";
import { bottleneckPort } from "../run/links.ts";
import { valueAt } from "../scenario/schema.ts";
import { signalReason } from "../scenario/signals.ts";
import { Deferred } from "../ui/Deferred.tsx";
import { type Frame, useWindowHeight } from "../ui/media.ts";
import { pageStore } from "./actions.ts";
import { FabricPanel } from "./FabricPanel.tsx";
import { AXIS_HEIGHT, AXIS_SPACE, GUTTERS, mainPaneHeights } from "./layout.ts";
import { changeEvents, thresholdSteps } from "./milestones.ts";

/** Heights of the bars above and below. */
const BARS = 48 + 72;

/** The machine and its signals over one time axis. */
export function MainPane({ frame }: { readonly frame: Frame }) {
  const scenario = useScenario();
  const shown = useEffectiveScenario();
  const view = useRun((run) => run.view);
  const ghost = useRun((run) => run.ghost);
  const durationUs = useRun((run) => run.durationUs);
  const heights = mainPaneHeights(frame, useWindowHeight() - BARS);
  const cursor = useMemo(createTimeCursor, []);
  const stamp = useStamp();
  const gutters = GUTTERS[frame];
  const time = useMemo(() => {
    const domainUs: readonly [number, number] = [0, durationUs];
    return { domainUs, gutters, cursor, ghost, stamp, events: changeEvents(scenario) };
  }, [durationUs, gutters, cursor, ghost, stamp, scenario]);
  const marks = valueAt(shown, "switch.marking") !== "off";
  const thresholds = useMemo(() => (marks ? thresholdSteps(scenario) : []), [scenario, marks]);
  const signal = useStore(pageStore, (page) => page.signal);
  const by = useStore(pageStore, (page) => page.by);
  const port = view ? bottleneckPort(view) : undefined;
  return (
    <div className="main-pane">
      <FabricPanel frame={frame} height={heights.fabric} stamp={stamp} />
      {view && (
        <section className="series" aria-label="Signals over time">
          <Later height={heights.throughput}>
            <ThroughputChart run={view} height={heights.throughput} {...time} />
          </Later>
          <Later height={heights.quality}>
            <SignalChart
              run={view}
              height={heights.quality}
              {...time}
              chosen={signal}
              by={by}
              reason={(id) => signalReason(shown, id)}
              onChoose={(id) => pageStore.setState({ signal: id })}
              onBy={(next) => pageStore.setState({ by: next })}
            />
          </Later>
          <Later height={heights.queue}>
            <QueueChart
              run={view}
              height={heights.queue}
              {...time}
              thresholds={thresholds}
              bufferPackets={Number(valueAt(shown, "switch.bufferPackets"))}
              {...(port !== undefined && { port })}
            />
          </Later>
          <TimeAxis run={view} domainUs={time.domainUs} gutters={gutters} height={AXIS_HEIGHT + AXIS_SPACE} />
        </section>
      )}
    </div>
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

/** What an exported figure says about where it comes from. */
export function useStamp(): ExportStamp {
  const scenario = useScenario();
  const layout = useRun((run) => run.view?.layout);
  return useMemo(
    () => ({
      scenario: scenario.name,
      hash: layout?.hash ?? "",
      seed: scenario.seed ?? 42,
      engineVersion: layout?.version ?? "",
    }),
    [scenario, layout],
  );
}
