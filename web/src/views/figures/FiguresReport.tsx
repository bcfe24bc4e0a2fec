import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { useStore } from "zustand";
import { countsOf, paperOf, publishedOf, sumOf } from "../../answers/figures.ts";
import { useRun } from "../../panels/context.tsx";
import { FigureTable } from "./FigureTable.tsx";
import { FIGURE_FILES, RESULTS } from "./figureFiles.ts";
import { figureRuns } from "./running.ts";
import { claimText, hereText, paperTitle } from "./texts.ts";

/** The report of all figures, which is there while the page is printed. */
export function FiguresReport() {
  const [printed, setPrinted] = useState<Date | null>(null);
  useEffect(() => {
    const before = () => flushSync(() => setPrinted(new Date()));
    const after = () => setPrinted(null);
    addEventListener("beforeprint", before);
    addEventListener("afterprint", after);
    return () => {
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", after);
    };
  }, []);
  return printed && <Report made={printed} />;
}

function Report({ made }: { readonly made: Date }) {
  const version = useRun((run) => run.view?.layout.version ?? "");
  const runs = useStore(figureRuns.store, (state) => state.figures);
  const all = sumOf(RESULTS.tally);
  const here = FIGURE_FILES.filter(({ id }) => runs[id]?.phase === "done");
  const same = here.filter(({ id }) => runs[id]?.digest === RESULTS.figures[id]?.digest).length;
  return (
    <article className="figures-report">
      <h1>Published figures, run again</h1>
      <p>
        QoScope, engine {version}. Report of {made.toLocaleDateString("en-GB", { dateStyle: "long" })}. Every
        figure is held against its source over all of its seeds; ours with the 95 % interval.
        {here.length > 0 &&
          ` In this page ${here.length} were run again, ${same} of them with the same digest as the kept result.`}
      </p>
      <table>
        <thead>
          <tr>
            {[
              "source",
              "rows published",
              "reproduced",
              "in order only",
              "not reproduced",
              "arithmetic",
              "controls",
            ].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...RESULTS.tally, { paper: "All", ...all }].map((tally) => (
            <tr key={tally.paper}>
              <th scope="row">
                {tally.paper.startsWith("Paper") ? `Paper ${paperTitle(tally.paper)}` : tally.paper}
              </th>
              <td>{publishedOf(tally)}</td>
              <td>{tally.reproduced}</td>
              <td>{tally.inOrder}</td>
              <td>{tally.not}</td>
              <td>{tally.arithmetic}</td>
              <td>{tally.controls}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {FIGURE_FILES.map((figure) => {
        const { id, source, title } = figure;
        const rows = RESULTS.figures[id]?.rows ?? [];
        return (
          <section key={id} data-paper={paperOf(source)}>
            <h2>
              {source}: {title}
            </h2>
            <p>
              {claimText(figure)} <b>{hereText(countsOf(rows))}</b> Digest {RESULTS.figures[id]?.digest}.
            </p>
            <FigureTable caption={`${source}: ${title}`} rows={rows} />
          </section>
        );
      })}
    </article>
  );
}
