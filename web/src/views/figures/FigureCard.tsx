import { useStore } from "zustand";
import {
  causesOf,
  countsOf,
  countsText,
  rowsText,
  rowsThatMatter,
  verdictOf,
} from "../../answers/figures.ts";
import { PictureChart } from "../../charts/picture/PictureChart.tsx";
import type { FigureResult } from "../../generated/answers.d.ts";
import type { FigureFile } from "./figureFiles.ts";
import { figureRuns } from "./running.ts";
import { withMinus } from "./texts.ts";
import { VerdictGlyph } from "./VerdictGlyph.tsx";

/** Rows that a card shows. */
const ROWS = 3;

interface FigureCardProps {
  readonly figure: FigureFile;
  readonly result: FigureResult | undefined;
  readonly onOpen: () => void;
}

/** A figure at a glance: its picture, what was published beside ours, and what became of all its rows. */
export function FigureCard({ figure: { id, title, source }, result, onOpen }: FigureCardProps) {
  const rows = result?.rows ?? [];
  const shown = rowsThatMatter(rows, ROWS);
  const more = rows.length - shown.length;
  const counts = countsOf(rows);
  const causes = causesOf(rows);
  return (
    <article className="figure-card" aria-labelledby={`card-${id}`}>
      <div className="figure-card-picture">
        {result?.picture ? (
          <PictureChart picture={result.picture} title={title} small />
        ) : (
          <p className="note">No picture: its numbers are below.</p>
        )}
      </div>
      <p className="note">{source}</p>
      <h3 id={`card-${id}`}>
        <button type="button" className="figure-open" data-figure={id} onClick={onOpen}>
          {title}
        </button>
      </h3>
      {shown.length > 0 && (
        <table className="figure-card-rows">
          <thead>
            <tr>
              <th scope="col">published</th>
              <th scope="col">band</th>
              <th scope="col">ours</th>
            </tr>
          </thead>
          {shown.map((row, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of several cases may have the same words
            <tbody key={i}>
              <tr>
                <th scope="rowgroup" colSpan={3} title={row.quantity}>
                  <VerdictGlyph verdict={row.outcome} /> {row.quantity}
                  <span className="visually-hidden">: {row.verdict}</span>
                </th>
              </tr>
              <tr>
                <td title={row.reference}>{row.reference || "–"}</td>
                <td>{row.band || "–"}</td>
                <td title={row.ours}>
                  <b>{withMinus(row.ours.replace(/ \(.*\)$/, ""))}</b>
                </td>
              </tr>
            </tbody>
          ))}
        </table>
      )}
      {more > 0 && <p className="note">and {rowsText(more).replace(/^(\d+)/, "$1 more")}</p>}
      <span className="spring" />
      <p className="figure-chip">
        <VerdictGlyph verdict={verdictOf(counts)} /> <span>{countsText(counts)}</span>
      </p>
      {causes.length > 0 && (
        <p className="note">
          {causes[0]}
          {causes.length > 1 && ` and ${causes.length - 1} more`}
        </p>
      )}
      <RunNote id={id} kept={result?.digest ?? ""} />
    </article>
  );
}

/** What running it again in this page has come to. */
function RunNote({ id, kept }: { readonly id: string; readonly kept: string }) {
  const run = useStore(figureRuns.store, ({ figures }) => figures[id]);
  if (!run) return null;
  const words = {
    waiting: "Waits to be run again",
    running: `Running: ${run.finished} of ${run.wanted} runs`,
    done: run.digest === kept ? "Run again here: the same" : "Run again here: not the same",
    cancelled:
      run.finished > 0 ? `Cancelled after ${run.finished} of ${run.wanted} runs` : "Not run again: cancelled",
    failed: "Run again here: it stopped",
  };
  return <p className="note figure-run-note">{words[run.phase]}</p>;
}
