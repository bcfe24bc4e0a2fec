import type { FigureRow } from "../../generated/answers.d.ts";
import { distanceText, withMinus } from "./texts.ts";
import { VerdictGlyph } from "./VerdictGlyph.tsx";

interface FigureTableProps {
  readonly caption: string;
  /** The rows of the kept result. */
  readonly rows: readonly FigureRow[];
  /** Those of a run in this page, as far as its seeds reach; absent where the kept ones are shown. */
  readonly again?: readonly (FigureRow | null)[] | undefined;
  /** Some of their seeds are still to come. */
  readonly open?: boolean;
  /** Leads to what explains a row that is not reproduced. */
  readonly onCause?: ((cause: string) => void) | undefined;
}

/** The rows of a figure as docs/validation.md has them, with where our interval lies in the band. */
export function FigureTable({ caption, rows, again, open = false, onCause }: FigureTableProps) {
  const hasCases = rows.some(({ case: name }) => name !== rows[0]?.case);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls with the keys
    <section className="figure-table" tabIndex={0} aria-label={caption}>
      <table>
        <caption className="note">{caption}</caption>
        <thead>
          <tr>
            {hasCases && <th scope="col">case</th>}
            <th scope="col">quantity</th>
            <th scope="col">published</th>
            <th scope="col">ours</th>
            <th scope="col">band</th>
            <th scope="col" className="figure-interval">
              <span className="visually-hidden">interval in the band</span>
            </th>
            <th scope="col">distance</th>
            <th scope="col">verdict</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((kept, i) => {
            const row = again ? (again[i] ?? null) : kept;
            const sameCase = i > 0 && rows[i - 1]?.case === kept.case;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their places
              <tr key={i} data-outcome={row?.outcome ?? "open"}>
                {hasCases && <td>{sameCase ? "" : kept.case}</td>}
                <th scope="row">{kept.quantity}</th>
                <td>{withMinus(kept.reference) || "–"}</td>
                <td>{row ? <b>{withMinus(row.ours)}</b> : "…"}</td>
                <td>{withMinus(kept.band) || "–"}</td>
                <td className="figure-interval">{row && <IntervalMark row={row} />}</td>
                <td>{row ? distanceText(row) : ""}</td>
                <td>
                  {row ? (
                    <Verdict row={row} open={open} onCause={onCause} />
                  ) : (
                    <span className="note">needs two seeds</span>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

interface VerdictProps {
  readonly row: FigureRow;
  /** The interval may still close. */
  readonly open: boolean;
  readonly onCause: FigureTableProps["onCause"];
}

function Verdict({ row: { verdict, outcome, cause }, open, onCause }: VerdictProps) {
  const words = outcome !== "missed" ? verdict : open ? "not in the band" : "missed: not in the band";
  return (
    <span className="figure-verdict">
      <VerdictGlyph verdict={outcome} />
      <span>
        {open && <span className="note">so far </span>}
        {words}
        {cause !== null && (
          <>
            :{" "}
            {onCause ? (
              <button type="button" className="link" onClick={() => onCause(cause)}>
                {cause}
              </button>
            ) : (
              cause
            )}
          </>
        )}
      </span>
    </span>
  );
}

const WIDTH = 96;
const HEIGHT = 14;

/** The band as a block and our interval as a line in it, on one scale; an end that there is not runs out of the picture. */
function IntervalMark({ row: { mean, low, high, bandLow, bandHigh } }: { readonly row: FigureRow }) {
  if (mean === null || (bandLow === null && bandHigh === null)) return null;
  const known = [mean, low, high, bandLow, bandHigh].filter((value) => value !== null);
  const [from, to] = [Math.min(...known), Math.max(...known)];
  const room = (to - from || Math.abs(to) || 1) * 0.15;
  const x = (value: number) => ((value - from + room) / (to - from + 2 * room)) * WIDTH;
  const [start, end] = [bandLow === null ? 0 : x(bandLow), bandHigh === null ? WIDTH : x(bandHigh)];
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
      <rect x={start} y="2" width={Math.max(2, end - start)} height={HEIGHT - 4} className="interval-band" />
      <path
        d={`M${low === null ? 0 : x(low)} ${HEIGHT / 2}H${high === null ? WIDTH : x(high)}`}
        className="interval-line"
      />
      <circle cx={x(mean)} cy={HEIGHT / 2} r="2.5" className="interval-mean" />
    </svg>
  );
}
