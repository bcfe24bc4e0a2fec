import { useStore } from "zustand";
import { formatLatency, NOT_APPLICABLE } from "../../../charts/drawing/format.ts";
import { TailsChart } from "../../../charts/latency/TailsChart.tsx";
import { fitRuns, jobsOf } from "../../../engine/campaign/fit/fitRuns.ts";
import type { FitOutcome } from "../../../generated/answers.d.ts";
import { Segmented } from "../../../ui/Segmented.tsx";
import { fitPage } from "../../../workbench/fit/fitPage.ts";
import { useStamp } from "../../../workbench/stamp.ts";
import { operationOf } from "./FitJobs.tsx";
import { counted, jobText, signedPercent } from "./fitText.ts";

const PERCENTILES = [
  { at: "mean", title: "mean" },
  { at: "p50", title: "p50" },
  { at: "p99", title: "p99" },
  { at: "p999", title: "p99.9" },
] as const;

/** The distributions of a job, measured and simulated. */
export function FitTails({ outcome }: { readonly outcome: FitOutcome }) {
  const files = useStore(fitRuns.store, (state) => state.files);
  const { job: chosen, kind: asked } = useStore(fitPage);
  const stamp = useStamp();
  const job = outcome.jobs.find((item) => item.job === chosen) ?? outcome.jobs[0];
  const measured = job && jobsOf(files)[job.job];
  const operation = job && operationOf(job, asked);
  if (!job || !measured || !operation) return null;
  const kind = operation === job.reads ? "reads" : "writes";
  const name = jobText(measured);
  const text = (value: number | null, otherwise: string) =>
    value === null ? otherwise : formatLatency(value);
  const { measured: one, simulated: other, errors } = operation.compared;
  return (
    <section className="panel fit-tails" aria-labelledby="fit-tails-title">
      <header>
        <h2 id="fit-tails-title">
          {name}{" "}
          <span className="note">
            share of {kind} slower than{job.heldOut && "; held out"}
          </span>
        </h2>
        {job.reads && job.writes && (
          <Segmented
            label="Requests"
            value={kind}
            options={[
              { value: "reads", title: "reads" },
              { value: "writes", title: "writes" },
            ]}
            onChange={(next) => fitPage.setState({ kind: next })}
          />
        )}
      </header>
      <div className="fit-tails-body">
        <TailsChart operation={operation} job={name} kind={kind} height={300} stamp={stamp} />
        <table className="fit-percentiles">
          <thead>
            <tr>
              <td className="note">µs</td>
              <th scope="col">measured</th>
              <th scope="col">simulated</th>
              <th scope="col">error %</th>
            </tr>
          </thead>
          <tbody>
            {PERCENTILES.map(({ at, title }) => (
              <tr key={at}>
                <th scope="row">{title}</th>
                <td>
                  <b>{text(one[at], NOT_APPLICABLE)}</b>
                </td>
                <td>{text(other[at], "few")}</td>
                <td>{signedPercent(errors[at])}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td colSpan={4} className="note">
                strong: measured, {counted(operation.measuredRequests, kind.slice(0, -1))}; thin: simulated,{" "}
                {counted(operation.simulatedRequests, kind.slice(0, -1))}
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  );
}
