import { useStore } from "zustand";
import { largestError } from "../../../answers/fit.ts";
import { logScale } from "../../../charts/drawing/axis.ts";
import { fitRuns, jobsOf } from "../../../engine/campaign/fit/fitRuns.ts";
import type { FitErrors, FitOutcome, FittedParameter, FitVerdict } from "../../../generated/answers.d.ts";
import { MathSymbol } from "../../../ui/MathSymbol.tsx";
import { counted, intervalText, jobText, percentText, signedPercent, valueText } from "./fitText.ts";

const NAMES = { mean: "mean", p50: "p50", p99: "p99", p999: "p99.9", iops: "IOPS" } as const;

/** How far off the drive is, which parameters the jobs determine, and which not. */
export function FitParameters({ outcome }: { readonly outcome: FitOutcome }) {
  const { fitted, kept } = outcome;
  return (
    <>
      <Verdict {...outcome.verdict} />
      <ErrorPanel outcome={outcome} />
      <section className="panel fit-parameters" aria-labelledby="fitted-title">
        <header>
          <h2 id="fitted-title">
            Fitted <span className="note">{counted(fitted.length, "parameter")} that measurements tell</span>
          </h2>
        </header>
        {fitted.length > 0 ? (
          <FittedTable fitted={fitted} />
        ) : (
          <p className="note">The jobs determine none.</p>
        )}
      </section>
      {kept.length > 0 && (
        <section className="panel fit-parameters" aria-labelledby="kept-title">
          <header>
            <h2 id="kept-title">Not determined</h2>
          </header>
          <table>
            <tbody>
              {kept.map((parameter) => {
                const { value, unit } = valueText(parameter);
                return (
                  <tr key={parameter.path}>
                    <th scope="row">
                      <Name {...parameter} />
                      <p className="note">
                        {parameter.why} Value: {parameter.source}.
                      </p>
                    </th>
                    <td>{value}</td>
                    <td className="note">{unit}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

const Verdict = ({ matches, sentence, reasons }: FitVerdict) => (
  <section className="panel fit-verdict" aria-labelledby="fit-verdict-title">
    <header>
      <h2 id="fit-verdict-title">Verdict</h2>
    </header>
    <p role="status">
      <b>{sentence}</b>
    </p>
    {reasons.map((reason) => (
      <p key={reason} className="note">
        {reason}
      </p>
    ))}
    {!matches && <p className="note">The drive cannot be saved or used.</p>}
  </section>
);

function ErrorPanel({ outcome }: { readonly outcome: FitOutcome }) {
  const files = useStore(fitRuns.store, (state) => state.files);
  const { errors, heldOutErrors } = outcome;
  const largest = largestError(outcome);
  const job = largest && jobsOf(files)[largest.job];
  return (
    <section className="panel fit-errors" aria-labelledby="fit-errors-title">
      <header>
        <h2 id="fit-errors-title">
          Error <span className="note">mean of absolute differences</span>
        </h2>
      </header>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">mean</th>
            <th scope="col">p50</th>
            <th scope="col">p99</th>
            <th scope="col">IOPS</th>
          </tr>
        </thead>
        <tbody>
          <ErrorRow title="Fitted" errors={errors} />
          {heldOutErrors && <ErrorRow title="Held out" errors={heldOutErrors} />}
        </tbody>
      </table>
      {largest && job && (
        <p className="note">
          Largest: {NAMES[largest.of]} of {job.reads && job.writes && `${largest.kind} of `}
          {jobText(job)}, {signedPercent(largest.error)} %.
        </p>
      )}
    </section>
  );
}

const ErrorRow = ({
  title,
  errors: { jobs, of },
}: {
  readonly title: string;
  readonly errors: FitErrors;
}) => (
  <tr>
    <th scope="row">
      {title} <span className="note">{counted(jobs, "job")}</span>
    </th>
    <td>
      <b>{percentText(of.mean)}</b>
    </td>
    <td>{percentText(of.p50)}</td>
    <td>
      <b>{percentText(of.p99)}</b>
    </td>
    <td>{percentText(of.iops)}</td>
  </tr>
);

/** Each with its interval, on one axis of what it is over that of the drive that the fit began with. */
function FittedTable({ fitted }: { readonly fitted: readonly FittedParameter[] }) {
  const ratios = fitted.flatMap(({ value, base }) => [value / base, base / value]);
  const reach = Math.min(MOST, Math.max(LEAST, ...ratios) * 1.1);
  const percent = logScale([1 / reach, reach], [0, 100]).clamp(true);
  return (
    <table>
      <tbody>
        {fitted.map((parameter) => {
          const { value, low, high, base, path, log } = parameter;
          const shown = valueText(parameter);
          const [from, to] = [percent(low / base), percent(high / base)];
          const isBeyond = value / base > reach || base / value > reach;
          return (
            <tr key={path}>
              <th scope="row">
                <Name {...parameter} />
                {log && <p className="note">by {log}</p>}
              </th>
              <td className="fit-interval" aria-hidden="true">
                <div>
                  <i className="fit-base" />
                  <i className="fit-range" style={{ left: `${from}%`, width: `${to - from}%` }} />
                  <i
                    className={isBeyond ? "fit-ring" : "fit-dot"}
                    style={{ left: `${percent(value / base)}%` }}
                  />
                </div>
              </td>
              <td>
                <b>{shown.value}</b> <span className="note">{intervalText(parameter)}</span>
              </td>
              <td className="note">{shown.unit}</td>
            </tr>
          );
        })}
      </tbody>
      <tfoot>
        <tr>
          <td className="note">over the start</td>
          <td className="fit-interval" aria-hidden="true">
            <div className="fit-axis">
              {[1 / reach, 1, reach].map((ratio) => (
                <span key={ratio} style={{ left: `${percent(ratio)}%` }}>
                  {Number(ratio.toPrecision(2))}
                </span>
              ))}
            </div>
          </td>
          <td colSpan={2} />
        </tr>
      </tfoot>
    </table>
  );
}

/** The axis reaches at least and at most to these ratios. */
const LEAST = 1.25;
const MOST = 8;

const Name = ({ title, symbol }: { readonly title: string; readonly symbol?: string }) => (
  <>
    {title}
    {symbol && <MathSymbol>{symbol}</MathSymbol>}
  </>
);
