import { useMemo } from "react";
import { useStore } from "zustand";
import {
  countsOf,
  type FigureVerdict,
  paperOf,
  publishedOf,
  sumOf,
  verdictOf,
} from "../../answers/figures.ts";
import { useRun } from "../../panels/context.tsx";
import { Button } from "../../ui/Button.tsx";
import { useFrame } from "../../ui/media.ts";
import { TextField } from "../../ui/TextField.tsx";
import { aboutTime } from "../../workbench/aboutTime.ts";
import { saveText } from "../../workbench/save.ts";
import { figuresView, VERDICTS } from "../../workbench/state/figuresView.ts";
import { useViewState } from "../../workbench/view/viewContext.tsx";
import { FigureCard } from "./FigureCard.tsx";
import { FIGURE_FILES, type FigureFile, PAPERS, RESULTS } from "./figureFiles.ts";
import { RunProgress, useEstimate } from "./RunProgress.tsx";
import { reportOf } from "./report.ts";
import { figureRuns, requestOf } from "./running.ts";
import { paperTitle, VERDICT_TITLES } from "./texts.ts";
import { VerdictGlyph } from "./VerdictGlyph.tsx";

const resultRows = (id: string) => RESULTS.figures[id]?.rows ?? [];
const verdictOfFigure = ({ id }: FigureFile): FigureVerdict => verdictOf(countsOf(resultRows(id)));

/** What is known of a figure, for a search. */
function textOf({ id, title, source, claim, theme }: FigureFile): string {
  const rows = resultRows(id).map(({ quantity, cause }) => `${quantity} ${cause ?? ""}`);
  return [id, title, source, paperTitle(paperOf(source)), claim, theme, ...rows].join(" ").toLowerCase();
}

/** The figures in which every word of a search stands. */
function found(search: string): readonly FigureFile[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return FIGURE_FILES.filter((figure) => words.every((word) => textOf(figure).includes(word)));
}

/** All figures, or those of a paper, a verdict, or with some words. */
export function Overview() {
  const [{ paper, verdict, search }, change] = useViewState(figuresView);
  const frame = useFrame();
  const narrow = frame === "phone" || frame === "column";
  const matching = useMemo(() => found(search), [search]);
  const ofPaper = paper === "" ? matching : matching.filter(({ source }) => paperOf(source) === paper);
  const ofVerdict =
    verdict === "all" ? matching : matching.filter((figure) => verdictOfFigure(figure) === verdict);
  const shown = ofPaper.filter((figure) => verdict === "all" || verdictOfFigure(figure) === verdict);
  const papers = PAPERS.map((name) => ({
    value: name,
    title: paperTitle(name),
    count: ofVerdict.filter(({ source }) => paperOf(source) === name).length,
  }));
  const verdicts = VERDICTS.map((value) => ({
    value,
    title: VERDICT_TITLES[value],
    count: ofPaper.filter((figure) => verdictOfFigure(figure) === value).length,
  }));
  const paperChoices = (all: string) => (
    <>
      <Choice
        pressed={paper === ""}
        onChoose={() => change({ paper: "" })}
        title={all}
        count={ofVerdict.length}
      />
      {papers.map(({ value, title, count }) => (
        <Choice
          key={value}
          pressed={paper === value}
          onChoose={() => change({ paper: value })}
          title={title}
          count={count}
        />
      ))}
    </>
  );
  const verdictChoices = (
    <>
      <Choice
        pressed={verdict === "all"}
        onChoose={() => change({ verdict: "all" })}
        title="All"
        count={ofPaper.length}
      />
      {verdicts.map(({ value, title, count }) => (
        <Choice
          key={value}
          pressed={verdict === value}
          onChoose={() => change({ verdict: value })}
          title={title}
          count={count}
          glyph={value}
        />
      ))}
    </>
  );
  const searchField = (
    <TextField
      type="search"
      aria-label="Find a figure"
      placeholder="Find a figure"
      value={search}
      maxLength={64}
      onChange={(event) => change({ search: event.target.value })}
    />
  );
  return (
    <div className="figures-overview">
      {narrow ? (
        <div className="figures-strip">
          {searchField}
          <fieldset aria-label="Verdict">{verdictChoices}</fieldset>
          <fieldset aria-label="Paper">{paperChoices("All papers")}</fieldset>
        </div>
      ) : (
        <aside className="figures-filter" aria-label="Which figures">
          {searchField}
          <fieldset>
            <legend>Paper</legend>
            {paperChoices("All")}
          </fieldset>
          <fieldset>
            <legend>Verdict</legend>
            {verdictChoices}
          </fieldset>
          <p className="note">
            Rows are counted where something was published to hold them against, and a figure has the verdict
            of its worst row of what was published. All figures use one set of defaults; a scenario sets what
            its figure states, and a row names what it changes beyond that.
          </p>
          <ReportButtons />
        </aside>
      )}
      <section className="figures-list" aria-labelledby="figures-title">
        <Head />
        {narrow && <ReportButtons />}
        <p className="visually-hidden" role="status">
          {shown.length === 1 ? "1 figure" : `${shown.length} figures`}
        </p>
        {shown.length === 0 && (
          <p className="figures-none">
            No figure of this choice {search.trim() === "" ? "" : `has “${search.trim()}” in it`}.{" "}
            <Button look="link" onClick={() => change({ paper: "", verdict: "all", search: "" })}>
              Show all figures
            </Button>
          </p>
        )}
        <div className="figure-cards">
          {shown.map((figure) => (
            <FigureCard
              key={figure.id}
              figure={figure}
              result={RESULTS.figures[figure.id]}
              onOpen={() => change({ figure: figure.id })}
            />
          ))}
        </div>
      </section>
    </div>
  );
}

interface ChoiceProps {
  readonly pressed: boolean;
  readonly onChoose: () => void;
  readonly title: string;
  readonly count: number;
  readonly glyph?: FigureVerdict;
}

function Choice({ pressed, onChoose, title, count, glyph }: ChoiceProps) {
  return (
    <button type="button" className="figures-choice" aria-pressed={pressed} onClick={onChoose}>
      {glyph && <VerdictGlyph verdict={glyph} />}
      <span>{title}</span>
      <span className="note">{count}</span>
    </button>
  );
}

/** How many rows are reproduced, and what runs all of them again. */
function Head() {
  const all = sumOf(RESULTS.tally);
  const figures = useStore(figureRuns.store, (state) => state.figures);
  const asked = useStore(figureRuns.store, (state) => state.asked);
  const left = FIGURE_FILES.filter(({ id }) => figures[id]?.phase !== "done");
  const some = left.length > 0 && left.length < FIGURE_FILES.length;
  const wanted = some ? left : FIGURE_FILES;
  const estimate = useEstimate(wanted.reduce((sum, { id }) => sum + (RESULTS.figures[id]?.events ?? 0), 0));
  const what = some ? `Run the ${left.length} left` : "Run all";
  return (
    <header className="figures-head">
      <h2 id="figures-title">Published figures, run again</h2>
      <p className="figures-tally">
        <b>
          {all.reproduced} of {publishedOf(all)} rows reproduced
        </b>
        , {all.inOrder} in order only, {all.not} not
      </p>
      {asked.length > 0 ? (
        <RunProgress />
      ) : (
        <Button icon="play" onClick={() => figureRuns.start(wanted.map(requestOf))}>
          {estimate === null ? what : `${what}, ${aboutTime(estimate)}`}
        </Button>
      )}
    </header>
  );
}

/** The report of all figures, on paper or for other programs. */
function ReportButtons() {
  const version = useRun((run) => run.view?.layout.version ?? "");
  const save = () => {
    const report = reportOf(version, figureRuns.store.getState().figures);
    saveText(`${JSON.stringify(report, null, 2)}\n`, "figures-report.json");
  };
  return (
    <section className="figures-reports" aria-labelledby="report-title">
      <h3 id="report-title">Report of all figures</h3>
      <Button onClick={() => print()}>Print</Button>
      <Button icon="download" onClick={save}>
        JSON
      </Button>
    </section>
  );
}
