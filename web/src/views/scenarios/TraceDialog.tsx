import { useEffect, useId, useState } from "react";
import { useStore } from "zustand";
import { fixed, formatLatencyUnit } from "../../charts/drawing/format.ts";
import type { RecordedLatencies, TraceSummary } from "../../engine/files/traceProtocol.ts";
import { cancelTrace, type Reading, readTrace, tracesStore } from "../../engine/files/traces.ts";
import { useRun, useScenario, useSession } from "../../panels/context.tsx";
import { endpointsText, withTrace } from "../../scenario/workloads.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Select } from "../../ui/Select.tsx";
import "./TraceDialog.css";

interface TraceDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Volumes of which the figures are listed. */
const LISTED = 20;

/** A trace: how far it has been read, what it holds, and the workload that is to replay it. */
export default function TraceDialog({ open, onClose }: TraceDialogProps) {
  const session = useSession();
  const offered = useRun((run) => run.offeredTrace);
  const { workloads } = useScenario();
  const workloadId = useId();
  const [workload, setWorkload] = useState(0);
  const name = offered?.file.name ?? "";
  const reading = useStore(tracesStore, ({ byName }) => byName[name]);

  const read = (volume: string | null) => {
    if (!offered) return;
    const { traffic } = session.scenario.workloads[offered.workload ?? -1] ?? {};
    const format = traffic?.kind === "trace" ? (traffic.format ?? "auto") : "auto";
    readTrace({ file: offered.file, format, volume }, (name, bytes) => session.addTrace(name, bytes));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a file is read once, when it is offered
  useEffect(() => {
    if (!offered) return;
    const missing = workloads.findIndex(({ traffic }) => traffic.kind === "trace");
    setWorkload(offered.workload ?? Math.max(missing, 0));
    read(null);
  }, [offered]);

  if (!offered) return null;
  const cancel = () => {
    if (reading?.kind === "reading") cancelTrace(name);
    onClose();
  };
  const replay = () => {
    session.edit(withTrace(session.scenario, workload, name));
    onClose();
  };
  return (
    <Dialog open={open} title={`Trace “${name}”`} onClose={cancel} className="trace">
      {reading?.kind === "reading" && <Progress reading={reading} />}
      {reading?.kind === "failed" && <p role="alert">{reading.reason}</p>}
      {reading?.kind === "read" && <Summary summary={reading.summary} onVolume={read} />}
      {reading?.kind === "read" && workloads.length > 1 && (
        <div className="trace-workload">
          <label htmlFor={workloadId}>Workload that replays it</label>
          <Select
            id={workloadId}
            value={String(workload)}
            options={workloads.map((item, index) => ({
              value: String(index),
              title: `${item.class}, ${endpointsText(item.endpoints)}`,
            }))}
            onChange={(value) => setWorkload(Number(value))}
          />
        </div>
      )}
      <div className="button-row">
        {reading?.kind === "read" && (
          <Button look="primary" onClick={replay}>
            Replay it
          </Button>
        )}
        <Button onClick={cancel}>{reading?.kind === "reading" ? "Cancel" : "Close"}</Button>
      </div>
    </Dialog>
  );
}

const grouped = (count: number): string => fixed(count, 0);
const megabytes = (bytes: number): string => fixed(bytes / 1e6, 1);

function Progress({ reading }: { readonly reading: Extract<Reading, { kind: "reading" }> }) {
  const { size } = reading.request.file;
  return (
    <>
      <progress aria-label="Read so far" value={reading.bytes} max={Math.max(size, 1)} />
      <p className="note">
        {megabytes(reading.bytes)} of {megabytes(size)} MB, {grouped(reading.lines)} lines
      </p>
    </>
  );
}

interface SummaryProps {
  readonly summary: TraceSummary;
  readonly onVolume: (volume: string) => void;
}

function Summary({ summary, onVolume }: SummaryProps) {
  const { counts, spanUs } = summary;
  const percent = (share: number | null) => (share === null ? "–" : `${fixed(100 * share, 1)} %`);
  const kilobytes = (bytes: number | null) => (bytes === null ? "–" : `${fixed(bytes / 1000, 1)} KB`);
  const facts: readonly (readonly [string, string])[] = [
    ["Format", summary.format],
    ["Requests", grouped(counts.requests)],
    ["Time", `${fixed(spanUs / 1e6, 3)} s`],
    ["Rate", spanUs > 0 ? `${fixed(counts.requests / (spanUs / 1e6), 1)} requests/s` : "–"],
    ["Reads", percent(counts.readFraction)],
    ["Mean size", kilobytes(counts.meanBytes)],
    ["Bad lines", grouped(summary.bad)],
    ["Left out", grouped(summary.skipped + counts.trims)],
    ["Out of order", grouped(summary.reordered)],
  ];
  return (
    <>
      <dl className="trace-facts">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {summary.remarks.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
      {summary.recorded && <Recorded recorded={summary.recorded} />}
      {summary.badLines.length > 0 && (
        <ul className="trace-bad">
          {summary.badLines.map(({ number, reason, text }) => (
            <li key={number}>
              Line {number} {reason}: <code>{text}</code>
            </li>
          ))}
        </ul>
      )}
      {!summary.complete && (
        <p className="note">The page keeps the first {grouped(summary.kept)} requests that it reads.</p>
      )}
      {summary.volumes.length > 1 && (
        <table>
          <caption>
            {summary.volumeCount > LISTED
              ? `The busiest ${LISTED} of ${grouped(summary.volumeCount)} volumes`
              : "Volumes"}
          </caption>
          <thead>
            <tr>
              <th scope="col">Volume</th>
              <th scope="col">Requests</th>
              <th scope="col">Reads</th>
              <th scope="col">Mean size</th>
              {!summary.complete && <th scope="col">Keep</th>}
            </tr>
          </thead>
          <tbody>
            {summary.volumes.slice(0, LISTED).map((volume) => (
              <tr key={volume.name}>
                <th scope="row">{volume.name}</th>
                <td>{grouped(volume.requests)}</td>
                <td>{percent(volume.readFraction)}</td>
                <td>{kilobytes(volume.meanBytes)}</td>
                {!summary.complete && (
                  <td>
                    <Button look="link" onClick={() => onVolume(volume.name)}>
                      Only this
                    </Button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

/** How long requests took when the trace was recorded. */
function Recorded({ recorded }: { readonly recorded: RecordedLatencies }) {
  const latency = (us: number | null) => (us === null ? "–" : formatLatencyUnit(us));
  const rows = [
    ["Reads", recorded.reads],
    ["Writes", recorded.writes],
  ] as const;
  return (
    <table>
      <caption>Latency as recorded</caption>
      <thead>
        <tr>
          <th scope="col">Operation</th>
          <th scope="col">Requests</th>
          <th scope="col">Mean</th>
          <th scope="col">p50</th>
          <th scope="col">p99</th>
          <th scope="col">Maximum</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, figures]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{grouped(figures.requests)}</td>
            <td>{latency(figures.meanUs)}</td>
            <td>{latency(figures.p50Us)}</td>
            <td>{latency(figures.p99Us)}</td>
            <td>{latency(figures.maxUs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
