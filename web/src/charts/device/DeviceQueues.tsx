import { type KeyboardEvent, useEffect, useState } from "react";
import { deviceReading } from "../../run/devices.ts";
import { fixed, formatCount, formatPercent } from "../drawing/format.ts";
import { useDrawing } from "../drawing/useDrawing.ts";
import { useSentence } from "../drawing/useSentence.ts";
import { ChartMenu } from "../frame/ChartMenu.tsx";
import { ChartPicture, useChartTable } from "../frame/ChartPicture.tsx";
import { ChartTable } from "../frame/ChartTable.tsx";
import type { Exportable } from "../frame/export.ts";
import type { ExportStamp } from "../types.ts";
import {
  createQueuesMemory,
  drawQueues,
  isMemory,
  levelName,
  type QueuesProps,
  queuesSentence,
} from "./deviceQueues.ts";
import "./DeviceCharts.css";

const TITLE = "Submission queues to flash";
const MEMORY_TITLE = "Submission queues to memory";

interface Props extends QueuesProps {
  readonly height: number;
  readonly stamp: ExportStamp;
}

/** Submission queues, arbitration and channels of a device, as they are now. */
export function DeviceQueues(props: Props) {
  const { run, device, height, stamp } = props;
  const title = isMemory(run, device) ? MEMORY_TITLE : TITLE;
  const sentence = useSentence(run, { title, sentence: () => queuesSentence(props) });
  const [memory] = useState(createQueuesMemory);
  const picture = useDrawing(
    (surface, width, high, theme) => drawQueues(surface, theme, width, high, props, memory(run, device)),
    run,
  );
  const table = useChartTable(picture);
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.toLowerCase() !== "t") return;
    event.preventDefault();
    event.stopPropagation();
    table.open();
  };
  const exportable = (): Exportable => {
    const width = picture.box.current?.parentElement?.clientWidth ?? 744;
    return {
      id: "submission-queues",
      title,
      headers: ["queue", "waiting (commands)"],
      rows: rowsOf(props).map(({ name, waiting }) => [name, waiting]),
      width,
      height,
      draw: (surface, theme) => drawQueues(surface, theme, width, height, props, memory(run, device)),
    };
  };
  return (
    <section className="chart chart-plain device-queues" style={{ height }} aria-label={title}>
      {table.shown && <QueuesTable {...props} title={title} memory={memory} onClose={table.close} />}
      <ChartPicture
        picture={picture}
        hidden={table.shown}
        aria-label={sentence}
        data-chart="submission-queues"
        onKeyDown={key}
      />
      {!table.shown && (
        <div className="chart-header">
          <b className="chart-title">{title}</b>
          <span className="note">commands now</span>
        </div>
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

function rowsOf({ run, device, levels }: QueuesProps) {
  const reading = deviceReading(run, device);
  return levels.map((level) => ({
    level: level.level,
    name: levelName(run, level),
    waiting: reading?.waiting[level.level] ?? Number.NaN,
    credits: level.level === "urgent" ? Number.NaN : (reading?.credits[level.level] ?? Number.NaN),
    weight: level.weight ?? Number.NaN,
  }));
}

/** The same as a table, anew every second: a table is for reading. */
function QueuesTable(
  props: Props & {
    readonly title: string;
    readonly memory: ReturnType<typeof createQueuesMemory>;
    readonly onClose: () => void;
  },
) {
  const { run, device, title, memory, onClose } = props;
  const [, again] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => again((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const reading = deviceReading(run, device);
  const { busy } = memory(run, device);
  return (
    <ChartTable title={title} onClose={onClose}>
      <table>
        <caption>
          <b>{title}</b> {formatCount(reading?.inDevice ?? Number.NaN, "command")} in the device
        </caption>
        <thead>
          <tr>
            {["queue", "waiting", "left in the round", "weight"].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(props).map(({ level, name, waiting, credits, weight }) => (
            <tr key={level}>
              <th scope="row">{name}</th>
              <td>{fixed(waiting, 0)}</td>
              <td>{fixed(credits, 0)}</td>
              <td>{fixed(weight, 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table>
        <thead>
          <tr>
            <th scope="col">{isMemory(run, device) ? "bank" : "channel"}</th>
            <th scope="col">busy now</th>
          </tr>
        </thead>
        <tbody>
          {[...busy].map((share, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a channel has no other name than its number
            <tr key={i}>
              <th scope="row">{i}</th>
              <td>{formatPercent(share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ChartTable>
  );
}
