import { useMemo, useRef } from "react";
import { useStore } from "zustand";
import { causesOf, countsOf, verdictOf } from "../../answers/figures.ts";
import { PictureChart } from "../../charts/picture/PictureChart.tsx";
import { describeChanges } from "../../panels/changeText.ts";
import { useSession } from "../../panels/context.tsx";
import { PRESET_GROUPS, STATED_COMPARISONS } from "../../scenario/presets.ts";
import { type ComparedPresets, comparisonsOf } from "../../scenario/themes.ts";
import type { Scenario } from "../../scenario/types.ts";
import { Button } from "../../ui/Button.tsx";
import { Markdown } from "../../ui/Markdown.tsx";
import { aboutTime } from "../../workbench/aboutTime.ts";
import { compareView, MAX_BASELINES } from "../../workbench/state/compareView.ts";
import { exploreView } from "../../workbench/state/exploreView.ts";
import { useViews } from "../../workbench/view/viewContext.tsx";
import { FigureTable } from "./FigureTable.tsx";
import { type FigureFile, RESULTS, runTitle, scenarioNamed, scenarioOfRun } from "./figureFiles.ts";
import { RunProgress, useEstimate } from "./RunProgress.tsx";
import { figureRuns, requestOf } from "./running.ts";
import { claimText, hereText, outcomeText } from "./texts.ts";
import { VerdictGlyph } from "./VerdictGlyph.tsx";

interface OpenedFigureProps {
  readonly figure: FigureFile;
  readonly onClose: () => void;
}

/** A figure whole: its claim, picture, runs, table and causes, and what runs it again. */
export function OpenedFigure({ figure, onClose }: OpenedFigureProps) {
  const { id, title, source } = figure;
  const result = RESULTS.figures[id];
  const rows = result?.rows ?? [];
  const run = useStore(figureRuns.store, ({ figures }) => figures[id]);
  const again = run && run.rows.length > 0 ? run.rows : undefined;
  const counts = countsOf(rows);
  const causes = causesOf([...rows, ...(again ?? []).filter((row) => row !== null)]);
  const box = useRef<HTMLDivElement>(null);
  const toCause = (cause: string) => {
    const heading = box.current?.querySelector<HTMLElement>(`[data-cause="${CSS.escape(cause)}"]`);
    heading?.scrollIntoView({ block: "start" });
    heading?.focus();
  };
  const caption = again
    ? `This page's runs, ${run?.finished} of ${run?.wanted} ended; ours with the 95 % interval`
    : "The kept result of all seeds; ours with the 95 % interval";
  return (
    <div className="figure-page" ref={box}>
      <Button look="quiet" icon="back" onClick={onClose}>
        All figures
      </Button>
      <header>
        <p className="note">{source}</p>
        <h2>{title}</h2>
        <p className="figure-claim">{claimText(figure)}</p>
        <p className="figure-chip">
          <VerdictGlyph verdict={verdictOf(counts)} /> <span>{hereText(counts)}</span>
        </p>
      </header>
      <div className="figure-columns">
        {result?.picture && <PictureChart picture={result.picture} title={title} />}
        <RunAgain figure={figure} />
      </div>
      <FigureTable
        caption={caption}
        rows={rows}
        again={again}
        open={again !== undefined && run?.phase !== "done"}
        onCause={toCause}
      />
      <Runs figure={figure} />
      <Comparisons figure={figure} />
      {causes.length > 0 && (
        <section className="figure-causes" aria-labelledby="causes-title">
          <h3 id="causes-title">Why rows are not reproduced, and what was tried</h3>
          {causes.map((cause) => (
            <article key={cause}>
              <h4 data-cause={cause} tabIndex={-1}>
                {cause}
              </h4>
              <Markdown text={RESULTS.causes[cause] ?? ""} />
            </article>
          ))}
        </section>
      )}
    </div>
  );
}

/** Runs the figure again, all its seeds, and says what came out. */
function RunAgain({ figure }: { readonly figure: FigureFile }) {
  const { id, runs = [] } = figure;
  const result = RESULTS.figures[id];
  const run = useStore(figureRuns.store, ({ figures }) => figures[id]);
  const asked = useStore(figureRuns.store, (state) => state.asked);
  const estimate = useEstimate(result?.events ?? 0);
  const goesOn = run?.phase === "running" || run?.phase === "waiting";
  const elsewhere = asked.length > 0 && !goesOn;
  const models = figure.models?.length ?? 0;
  const seeds = runs.reduce((sum, item) => sum + item.seeds * (item.sweep?.values.length ?? 1), 0);
  return (
    <section className="figure-again" aria-labelledby="again-title">
      <h3 id="again-title">Run it again</h3>
      <p>
        {seeds > 0
          ? `${runs.length === 1 ? "One run under all its seeds" : `${runs.length} runs under all their seeds`}${models > 0 ? ", and the models" : ""}: ${seeds} simulations in this page${estimate === null ? "" : `, ${aboutTime(estimate)}`}.`
          : "It needs models alone: no simulation."}
      </p>
      {goesOn ? (
        <RunProgress only={id} />
      ) : (
        <Button
          look="primary"
          icon="play"
          aria-disabled={elsewhere || undefined}
          aria-describedby={elsewhere ? "again-why" : undefined}
          onClick={() => !elsewhere && figureRuns.start([requestOf(figure)])}
        >
          Run again
        </Button>
      )}
      {elsewhere && (
        <p className="note" id="again-why">
          No effect: other figures are being run. Cancel them, or wait.
        </p>
      )}
      <p role="status" className="figure-outcome">
        {outcomeText(run, result?.digest ?? "")}
      </p>
      <p className="note">
        Kept result: digest <code>{result?.digest}</code>, which <code>qoscope figure {id}</code> prints, too.
      </p>
    </section>
  );
}

/** The runs, what each changes of its scenario, and the way to it. */
function Runs({ figure }: { readonly figure: FigureFile }) {
  const session = useSession();
  const views = useViews();
  const { runs = [] } = figure;
  if (runs.length === 0) return null;
  const explore = (scenario: Scenario) => {
    session.begin(scenario);
    views.show(exploreView);
  };
  return (
    <section className="figure-runs" aria-labelledby="runs-title">
      <h3 id="runs-title">Runs</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls with the keys */}
      <section className="figure-table" tabIndex={0} aria-label="Runs, table">
        <table>
          <thead>
            <tr>
              <th scope="col">run</th>
              <th scope="col">scenario</th>
              <th scope="col">changes</th>
              <th scope="col">seeds</th>
              <th scope="col">
                <span className="visually-hidden">open</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <tr key={run.name}>
                <th scope="row">{runTitle(run)}</th>
                <td>{scenarioNamed(run.scenario).name}</td>
                <td>{changesText(run)}</td>
                <td>{run.seeds}</td>
                <td>
                  <Button
                    look="link"
                    aria-label={`Open ${runTitle(run)} in Explore`}
                    onClick={() => explore(scenarioOfRun(figure, run))}
                  >
                    Open in Explore
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

function changesText({ scenario, set = {}, sweep }: NonNullable<FigureFile["runs"]>[number]): string {
  const base = scenarioNamed(scenario);
  const changes = Object.entries(set).map(([path, value]) => ({ path, value }));
  const each = (sweep?.values ?? []).map((value) =>
    describeChanges(base, [{ path: sweep?.path ?? "", value }]),
  );
  const swept = each.length > 0 ? [each.join(" | ")] : [];
  return [...(changes.length > 0 ? [describeChanges(base, changes)] : []), ...swept].join("; ") || "–";
}

/** What the menu offers side by side; of a figure that is not in the menu its runs, where Compare has room for them. */
function comparisonsFor(figure: FigureFile): readonly ComparedPresets[] {
  const { id, title, source, runs = [] } = figure;
  const presets = PRESET_GROUPS.flatMap((group) => group.presets).filter((preset) => preset.figure === id);
  const unique = presets.filter((item, i) => presets.findIndex((other) => other.id === item.id) === i);
  if (unique.length > 0) return comparisonsOf(unique, STATED_COMPARISONS);
  if (runs.length < 2 || runs.length > MAX_BASELINES + 1) return [];
  const labels = runs.map(runTitle);
  return [{ title, source, labels, scenarios: runs.map((run) => scenarioOfRun(figure, run)) }];
}

/** What its paper, or the menu, holds against each other. */
function Comparisons({ figure }: { readonly figure: FigureFile }) {
  const session = useSession();
  const views = useViews();
  const comparisons = useMemo(() => comparisonsFor(figure), [figure]);
  if (comparisons.length === 0) return null;
  const compare = ({ scenarios }: ComparedPresets) => {
    const last = scenarios.at(-1);
    if (!last) return;
    session.begin(last);
    views.change(compareView, { baselines: scenarios.slice(0, -1) });
    views.show(compareView);
  };
  return (
    <section className="figure-comparisons" aria-labelledby="comparisons-title">
      <h3 id="comparisons-title">Compare side by side</h3>
      <ul>
        {comparisons.map((compared) => (
          <li key={`${compared.title} ${compared.labels.join()}`}>
            <Button icon="compare" onClick={() => compare(compared)}>
              {compared.labels.join(" | ")}
            </Button>
            <span className="note">{compared.title}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
