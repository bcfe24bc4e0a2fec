import { extent } from "d3-array";
import { useStore } from "zustand";
import { COMPARED } from "../../../answers/fit.ts";
import { type Axis, logAxis, type Scale } from "../../../charts/drawing/axis.ts";
import { formatCompact } from "../../../charts/drawing/format.ts";
import { fitRuns, jobsOf } from "../../../engine/campaign/fit/fitRuns.ts";
import type {
  FitJob,
  FitNumbers,
  FitOperation,
  FitOutcome,
  MeasuredJob,
} from "../../../generated/answers.d.ts";
import { fitPage } from "../../../workbench/fit/fitPage.ts";
import { depthText, digits, signedPercent } from "./fitText.ts";

type Compared = (typeof COMPARED)[number];

const TITLES: Readonly<Record<Compared, { readonly title: string; readonly unit: string }>> = {
  mean: { title: "mean", unit: "µs" },
  p50: { title: "p50", unit: "µs" },
  p99: { title: "p99", unit: "µs" },
  iops: { title: "IOPS", unit: "per s" },
};

/** Errors from so many per cent on stand out. */
const LARGE = 10;

/** The reads of a job, or its writes where it has no reads or those are asked for. */
export const operationOf = (job: FitJob, kind: "reads" | "writes"): FitOperation | null =>
  job[kind] ?? job.reads ?? job.writes;

/** Every job, measured against simulated: those that were fitted, and those that were held out. */
export function FitJobs({ outcome }: { readonly outcome: FitOutcome }) {
  const files = useStore(fitRuns.store, (state) => state.files);
  const { job: chosen, kind } = useStore(fitPage);
  const measured = jobsOf(files);
  const scales = Object.fromEntries(COMPARED.map((of) => [of, axisOf(outcome, of)])) as Record<
    Compared,
    Axis
  >;
  const hasMixed = outcome.jobs.some(({ reads, writes }) => reads && writes);
  const rows = (held: boolean) =>
    outcome.jobs
      .filter(({ heldOut }) => heldOut === held)
      .map((job) => {
        const of = measured[job.job];
        const operation = operationOf(job, kind);
        if (!of || !operation) return null;
        return (
          <JobRow
            key={job.job}
            job={of}
            operation={operation}
            scales={scales}
            isChosen={job.job === chosen}
            onChoose={() => fitPage.setState({ job: job.job })}
          />
        );
      });
  return (
    <section className="panel fit-jobs" aria-labelledby="fit-jobs-title">
      <header>
        <h2 id="fit-jobs-title">
          Jobs <span className="note">measured against simulated{hasMixed && `; mixed jobs: ${kind}`}</span>
        </h2>
        <span className="note fit-legend" aria-hidden="true">
          <i className="fit-dot" /> measured <i className="fit-ring" /> simulated
        </span>
      </header>
      <div className="fit-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">job</th>
              <th scope="col">QD</th>
              {COMPARED.map((of) => (
                <th key={of} scope="col" colSpan={2}>
                  <b>{TITLES[of].title}</b> <span className="note">{TITLES[of].unit}, error in %</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{rows(false)}</tbody>
          {outcome.heldOutErrors && (
            <tbody>
              <tr className="fit-held">
                <th scope="rowgroup" colSpan={2 + 2 * COMPARED.length}>
                  Held out{" "}
                  <span className="note">not used to fit; the error to expect of jobs like these</span>
                </th>
              </tr>
              {rows(true)}
            </tbody>
          )}
          <tfoot aria-hidden="true">
            <tr>
              <td colSpan={2} />
              {COMPARED.map((of) => (
                <td key={of} colSpan={2}>
                  <div className="fit-axis">
                    {scales[of].ticks.map(
                      ({ value, label }) =>
                        label !== "" && (
                          <span key={value} style={{ left: `${scales[of].scale(value)}%` }}>
                            {label}
                          </span>
                        ),
                    )}
                  </div>
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  );
}

interface JobRowProps {
  readonly job: MeasuredJob;
  readonly operation: FitOperation;
  readonly scales: Readonly<Record<Compared, Axis>>;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function JobRow({ job, operation, scales, isChosen, onChoose }: JobRowProps) {
  const { measured, simulated, errors } = operation.compared;
  return (
    <tr data-chosen={isChosen || undefined}>
      <th scope="row">
        <button type="button" className="fit-job" aria-pressed={isChosen} onClick={onChoose}>
          {job.name}
        </button>
      </th>
      <td className="fit-depth">{depthText(job)}</td>
      {COMPARED.map((of) => (
        <Cells
          key={of}
          measured={measured[of]}
          simulated={simulated[of]}
          error={errors[of]}
          scale={scales[of].scale}
        />
      ))}
    </tr>
  );
}

interface CellsProps {
  readonly measured: number | null;
  readonly simulated: number | null;
  readonly error: number | null;
  readonly scale: Scale;
}

/** Both numbers on a line, and what the simulated one is off. */
function Cells({ measured, simulated, error, scale }: CellsProps) {
  const place = (value: number | null) => (value === null ? {} : { left: `${scale(value)}%` });
  const words =
    measured === null
      ? "not measured"
      : `${digits(measured)} measured, ${simulated === null ? "too few" : digits(simulated)} simulated`;
  return (
    <>
      <td className="fit-line">
        <span className="visually-hidden">{words}</span>
        <div aria-hidden="true" title={words}>
          {simulated !== null && <i className="fit-ring" style={place(simulated)} />}
          {measured !== null && <i className="fit-dot" style={place(measured)} />}
        </div>
      </td>
      <td className="fit-error" data-large={(error !== null && Math.abs(error) >= LARGE) || undefined}>
        {signedPercent(error)}
      </td>
    </>
  );
}

/** A logarithmic axis, in percent of its width, for one number of all jobs. */
function axisOf(outcome: FitOutcome, of: keyof FitNumbers): Axis {
  const values = outcome.jobs
    .flatMap(({ reads, writes }) => [reads, writes])
    .flatMap((operation) =>
      operation ? [operation.compared.measured[of], operation.compared.simulated[of]] : [],
    )
    .filter((value) => value !== null && value > 0) as number[];
  const [low = 1, high = 10] = extent(values);
  return logAxis([low / 1.2, high * 1.2], [0, 100], FITTING, formatCompact);
}

/** Labels that an axis has room for. */
const FITTING = 3;
