import { useMemo } from "react";
import { useStore } from "zustand";
import { createTimeCursor, QueueChart, SignalChart, ThroughputChart, TimeAxis } from "../charts/index.ts";
import type { ExportStamp } from "../charts/types.ts";
import { useDocument, useRun, useShown } from "../panels/context.tsx";
import { valueAt } from "../scenario/schema.ts";
import { signalReason } from "../scenario/signals.ts";
import { type Frame, useWindowHeight } from "../ui/media.ts";
import { pageStore } from "./actions.ts";
import { FabricPanel } from "./FabricPanel.tsx";
import { AXIS_HEIGHT, AXIS_SPACE, centreHeights, GUTTERS } from "./layout.ts";
import { bottleneckPort, changeEvents, thresholdSteps } from "./milestones.ts";

/** Heights of the bars above and below. */
const BARS = 48 + 72;

/** The machine and its signals over one time axis. */
export function Centre({ frame }: { readonly frame: Frame }) {
  const document = useDocument();
  const shown = useShown();
  const view = useRun((run) => run.view);
  const ghost = useRun((run) => run.ghost);
  const durationUs = useRun((run) => run.durationUs);
  const heights = centreHeights(frame, useWindowHeight() - BARS);
  const cursor = useMemo(createTimeCursor, []);
  const stamp = useStamp();
  const gutters = GUTTERS[frame];
  const time = useMemo(() => {
    const domainUs: readonly [number, number] = [0, durationUs];
    return { domainUs, gutters, cursor, ghost, stamp, events: changeEvents(document) };
  }, [durationUs, gutters, cursor, ghost, stamp, document]);
  const marks = valueAt(shown, "switch.marking") !== "off";
  const thresholds = useMemo(() => (marks ? thresholdSteps(document) : []), [document, marks]);
  const signal = useStore(pageStore, (page) => page.signal);
  const by = useStore(pageStore, (page) => page.by);
  const port = view ? bottleneckPort(view) : undefined;
  return (
    <div className="centre">
      <FabricPanel frame={frame} height={heights.fabric} stamp={stamp} />
      {view && (
        <section className="series" aria-label="Signals over time">
          <ThroughputChart run={view} height={heights.throughput} {...time} />
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
          <QueueChart
            run={view}
            height={heights.queue}
            {...time}
            thresholds={thresholds}
            bufferPackets={Number(valueAt(shown, "switch.bufferPackets"))}
            {...(port !== undefined && { port })}
          />
          <TimeAxis run={view} domainUs={time.domainUs} gutters={gutters} height={AXIS_HEIGHT + AXIS_SPACE} />
        </section>
      )}
    </div>
  );
}

/** What an exported figure says about where it comes from. */
export function useStamp(): ExportStamp {
  const document = useDocument();
  const layout = useRun((run) => run.view?.layout);
  return useMemo(
    () => ({
      scenario: document.name,
      hash: layout?.hash ?? "",
      seed: document.seed ?? 42,
      engineVersion: layout?.version ?? "",
    }),
    [document, layout],
  );
}
