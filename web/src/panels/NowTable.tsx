import { fixed, formatDuration, formatGbps, formatPercent, formatQuality } from "../charts/drawing/format.ts";
import { latencySpan } from "../charts/latency/latencyNotes.ts";
import { hasNetwork } from "../run/bottleneck.ts";
import { deviceTitle } from "../run/devices.ts";
import { figure } from "../run/read.ts";
import { presentShare, targetShare } from "../run/shares.ts";
import { presentQuality, presentTarget } from "../run/targets.ts";
import type { RunView } from "../run/types.ts";
import { classIdentity } from "../ui/classes.ts";
import { Explained, Term } from "../ui/Explained.tsx";
import { MathSymbol } from "../ui/MathSymbol.tsx";
import { ClassLine } from "./ClassesPanel.tsx";
import { useRun } from "./context.tsx";
import "./NowTable.css";

/** Fewer slower requests than this make a percentile uncertain; fewer than `FEW` say nothing. */
const ENOUGH = 10;
const FEW = 5;

/** From this latency on a whole table is in milliseconds: a column has no room for the unit. */
const IN_MS_FROM_US = 10_000;

/** Three digits that count: a class of microseconds may stand beside one of milliseconds. A column has room for six signs. */
const msText = (us: number): string =>
  fixed(us / 1000, us < 1000 ? 3 : us < 10_000 ? 2 : us < 999_950 ? 1 : 0);

/** A percentile as the table prints it, given how many requests there are. */
export function percentileText(us: number, percentile: number, completed: number, inMs = false): string {
  const slower = completed * (1 - percentile / 100);
  if (!(completed > 0) || !Number.isFinite(us)) return "–";
  if (slower < FEW) return "few";
  const text = inMs ? msText(us) : fixed(us, 0);
  return slower < ENOUGH ? `≈${text}` : text;
}

const PERCENTILES = [
  { name: "p50", term: "p50", column: "p50Us", percentile: 50 },
  { name: "p99", term: "p99", column: "p99Us", percentile: 99 },
  { name: "p99.9", term: "p999", column: "p999Us", percentile: 99.9 },
] as const;

/** Whether a latency that the table prints is too long for microseconds. */
function isInMs(view: RunView): boolean {
  return view.classes.some((_, i) => {
    const completed = figure(view, i, "requestsCompleted");
    return PERCENTILES.some(
      ({ column, percentile }) =>
        completed * (1 - percentile / 100) >= FEW && figure(view, i, column) >= IN_MS_FROM_US,
    );
  });
}

/**
 * Carried, target, quality factor and latency percentiles of each class, as numbers. Where a device holds requests back, the rates of
 * the link are out of reach: target and what a class has are shares of what is carried.
 */
export function NowTable() {
  const view = useRun((run) => run.view);
  useRun((run) => run.tick);
  const inMs = view !== null && isInMs(view);
  const limiting = view?.bottleneck.device ?? null;
  const inShares = limiting !== null || (view !== null && !hasNetwork(view));
  const window = formatDuration(view?.layout.nowUs ?? 1000);
  return (
    <section className="panel" aria-labelledby="now-title">
      <header>
        <h2 id="now-title">
          Now{" "}
          <span className="note">
            last {window}; latency in {inMs ? "ms" : "µs"} {view ? latencySpan(view) : ""}
          </span>
        </h2>
      </header>
      <table className="now-table">
        <thead>
          <tr>
            <th scope="col">Class</th>
            <th scope="col">Gb/s</th>
            <th scope="col">
              <Term id="target">Target</Term>
            </th>
            <th scope="col">
              {inShares ? (
                "Share"
              ) : (
                <Term id="quality">
                  <MathSymbol>Q</MathSymbol>
                </Term>
              )}
            </th>
            {PERCENTILES.map(({ name, term }) => (
              <th scope="col" key={name}>
                <Term id={term}>{name}</Term>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {view?.classes.map((item, i) => (
            <Row key={item.name} view={view} index={i} inMs={inMs} inShares={inShares} />
          ))}
        </tbody>
      </table>
      {view && limiting !== null && (
        <p className="note">
          {deviceTitle(view, limiting)} is the bottleneck
          {hasNetwork(view) && ": targets are shares of what it carries"}.
        </p>
      )}
      {view && <FewNote view={view} />}
    </section>
  );
}

interface RowProps {
  readonly view: RunView;
  readonly index: number;
  readonly inMs: boolean;
  readonly inShares: boolean;
}

function Row({ view, index, inMs, inShares }: RowProps) {
  const item = view.classes[index];
  if (!item) return null;
  const identity = classIdentity(item.kindIndex);
  const completed = figure(view, index, "requestsCompleted");
  return (
    <tr>
      <th scope="row" style={{ color: identity.label }}>
        <ClassLine identity={identity} />
        {item.name}
      </th>
      <td className="strong">{formatGbps(figure(view, index, "carriedGbps"))}</td>
      <td className="weak">
        {inShares ? formatPercent(targetShare(view, index)) : formatGbps(presentTarget(view, index))}
      </td>
      <td className="strong">
        {inShares ? (
          formatPercent(presentShare(view, index))
        ) : (
          <Quality value={presentQuality(view, index)} name={item.name} />
        )}
      </td>
      {PERCENTILES.map(({ name, column, percentile }) => {
        const text = percentileText(figure(view, index, column), percentile, completed, inMs);
        return (
          <td key={name} className={/^[≈f–]/.test(text) ? "weak" : undefined}>
            {text}
          </td>
        );
      })}
    </tr>
  );
}

/** A quality factor, or why there is none. */
function Quality({ value, name }: { readonly value: number; readonly name: string }) {
  if (Number.isFinite(value)) return formatQuality(value);
  return (
    <Explained
      title="No quality factor."
      sentence={`No target applies to ${name} now: it has nothing to send, or has not sent for a whole RTT yet.`}
    >
      –
    </Explained>
  );
}

/** What "few" means, with the numbers of this run. */
function FewNote({ view }: { readonly view: RunView }) {
  const completed = view.classes.map((_, i) => figure(view, i, "requestsCompleted"));
  const texts = completed.flatMap((count, i) =>
    PERCENTILES.map(({ column, percentile }) => percentileText(figure(view, i, column), percentile, count)),
  );
  const said = [
    texts.some((text) => text.startsWith("≈")) && `≈: fewer than ${ENOUGH} requests were slower`,
    texts.includes("few") && `“few”: fewer than ${FEW} requests were slower`,
  ].filter((part) => part !== false);
  if (said.length === 0) return null;
  return (
    <p className="note">
      {said.join(". ")}. Completed:{" "}
      {completed.map((count, i) => `${view.classes[i]?.name} ${fixed(count, 0)}`).join(", ")}
    </p>
  );
}
