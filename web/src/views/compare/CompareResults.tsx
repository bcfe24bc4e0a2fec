import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { formatDuration } from "../../charts/drawing/format.ts";
import { ClassHead } from "../../charts/frame/BarRow.tsx";
import { LatencyChart } from "../../charts/index.ts";
import { Repeats, SEED_COUNTS } from "../../engine/campaign/repeats.ts";
import type { Comparison } from "../../generated/answers.d.ts";
import {
  type ComparedClass,
  compared,
  conclusions,
  intervalText,
  MEASURES,
  type Measure,
  saidDifferences,
} from "../../panels/comparison.ts";
import { useRun, useScenario, useSession } from "../../panels/context.tsx";
import { targetShare } from "../../run/shares.ts";
import type { RunView } from "../../run/types.ts";
import { deadlinesOf } from "../../scenario/classes.ts";
import { differencesOf } from "../../scenario/differences.ts";
import { valueAt } from "../../scenario/schema.ts";
import type { Scenario } from "../../scenario/types.ts";
import { Button } from "../../ui/Button.tsx";
import { Term } from "../../ui/Explained.tsx";
import type { Frame } from "../../ui/media.ts";
import { Select } from "../../ui/Select.tsx";
import { aboutTime } from "../../workbench/aboutTime.ts";
import { RunButtons } from "../../workbench/RunButtons.tsx";
import { useStamp } from "../../workbench/stamp.ts";
import { compareView, MAX_BASELINES } from "../../workbench/state/compareView.ts";
import { useViewState } from "../../workbench/view/viewContext.tsx";
import { ChooseScenario } from "./ChooseScenario.tsx";
import { letterOf } from "./letters.ts";
import type { Rival, Rivals } from "./rivals.ts";

const LATENCY = 260;

interface CompareResultsProps {
  readonly rivals: Rivals;
  readonly frame: Frame;
}

/** What differs between the runs, by how much for each class, and how sure that is. */
export function CompareResults({ rivals: { rivals } }: CompareResultsProps) {
  const view = useRun((run) => run.view);
  const scenario = useScenario();
  const stamp = useStamp();
  const first = rivals[0];
  const repeats = useMemo(() => new Repeats(), []);
  useEffect(() => () => repeats.end(), [repeats]);
  // What was found of other scenarios says nothing of these.
  const asked = JSON.stringify([scenario, ...rivals.map((rival) => rival.scenario)]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => repeats.close(), [repeats, asked]);
  const rows = useComparedRows(rivals, repeats);
  const deadlines = useMemo(() => deadlinesOf(scenario), [scenario]);
  const ghost = useStore(first?.session.run ?? IDLE, (run) => run.view);
  return (
    <aside className="results compare-results" aria-label="Differences">
      <Differing rivals={rivals} />
      <section className="panel" aria-labelledby="difference-title">
        <header>
          <h2 id="difference-title">
            Difference by class <span className="note">{letterOf(rivals.length)} against A</span>
          </h2>
        </header>
        {!haveEqualSettings(rivals, scenario) &&
          conclusions(rows, letterOf(rivals.length)).map((sentence) => (
            <p key={sentence} className="compare-sentence">
              {sentence}
            </p>
          ))}
        {rows.map(({ measure, classes }) => (
          <MeasureTable
            key={measure.id}
            measure={measure}
            classes={classes}
            count={rivals.length + 1}
            target={measure.id === "share" && view ? (i) => targetShare(view, i) : null}
          />
        ))}
      </section>
      <RepeatPanel repeats={repeats} rivals={rivals} />
      <section className="panel latency" aria-labelledby="compare-latency-title">
        <header>
          <h2 id="compare-latency-title">
            Request latency <span className="note">thick: {letterOf(rivals.length)}, thin: A</span>
          </h2>
        </header>
        {view && (
          <LatencyChart run={view} ghost={ghost} height={LATENCY} deadlines={deadlines} stamp={stamp} />
        )}
      </section>
    </aside>
  );
}

/** Stands in for a run that is not there yet. */
const IDLE = {
  getState: () => NO_RUN,
  getInitialState: () => NO_RUN,
  subscribe: () => () => {},
} as unknown as Rival["session"]["run"];
const NO_RUN = { view: null } as unknown as ReturnType<Rival["session"]["run"]["getState"]>;

/** Whether the scenario and those it is compared with are the same, and so their runs. */
const haveEqualSettings = (rivals: readonly Rival[], scenario: Scenario): boolean =>
  rivals.length > 0 && rivals.every((rival) => differencesOf(rival.scenario, scenario).length === 0);

/** What of the scenarios is not the same, in words. */
function Differing({ rivals }: { readonly rivals: readonly Rival[] }) {
  const scenario = useScenario();
  const [{ baselines }] = useViewState(compareView);
  const areIdentical = haveEqualSettings(rivals, scenario);
  return (
    <section className="panel" aria-labelledby="differs-title">
      <header>
        <h2 id="differs-title">What differs</h2>
        {baselines.length < MAX_BASELINES && <ChooseScenario />}
      </header>
      {areIdentical && (
        <p className="note">
          The runs are identical. Change something in Explore: the baseline keeps its settings.
        </p>
      )}
      {rivals.map((rival, place) => {
        if (areIdentical) return null;
        const said = saidDifferences(differencesOf(rival.scenario, scenario), rival.scenario, scenario);
        return (
          <dl
            key={letterOf(place)}
            className="compare-differs"
            aria-label={`${letterOf(place)} and ${letterOf(rivals.length)}`}
          >
            {said.slice(0, SHOWN).map(({ what, from, to }) => (
              <div key={`${what} ${from} ${to}`}>
                <dt>{what}</dt>
                <dd>
                  {rivals.length > 1 && <span className="note">{letterOf(place)} </span>}
                  {from} <span aria-hidden="true">→</span> <b>{to}</b>
                </dd>
              </div>
            ))}
            {said.length === 0 && (
              <p className="note">
                {letterOf(place)} is identical to {letterOf(rivals.length)}.
              </p>
            )}
            {said.length > SHOWN && <p className="note">And {said.length - SHOWN} more settings.</p>}
          </dl>
        );
      })}
      {!areIdentical && (
        <p className="note">
          Everything else is the same, and so are the seed and every arrival (common random numbers).
        </p>
      )}
    </section>
  );
}

/** Differences that are listed. */
const SHOWN = 6;

/** Each measure of every class in all runs, at the pace of tables. */
function useComparedRows(rivals: readonly Rival[], repeats: Repeats) {
  const current = useSession();
  useRun((run) => run.tick);
  useTicks(rivals);
  const comparison = useStore(repeats.store, (state) => state.comparison);
  const runs = [...rivals.map(({ session }) => session), current].flatMap((session) => {
    const { view } = session.run.getState();
    return view ? [view] : [];
  });
  const complete = runs.length === rivals.length + 1 && rivals.length > 0;
  return complete ? rowsOf(runs, comparison) : [];
}

/** Renders anew with the figures of the runs beside the current one: they may come to an instant after it. */
function useTicks(rivals: readonly Rival[]): void {
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = rivals.map(({ session }) => session.run.subscribe(listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    [rivals],
  );
  useSyncExternalStore(subscribe, () =>
    rivals.reduce((ticks, { session }) => ticks + session.run.getState().tick, 0),
  );
}

const rowsOf = (runs: readonly RunView[], comparison: Comparison | null) =>
  MEASURES.flatMap((measure) => {
    const classes = compared(measure, runs, comparison);
    return classes.length > 0 ? [{ measure, classes }] : [];
  });

interface MeasureTableProps {
  readonly measure: Measure;
  readonly classes: readonly ComparedClass[];
  readonly count: number;
  /** What a class of the current run should have of it; null where nothing says so. */
  readonly target: ((classIndex: number) => number) | null;
}

function MeasureTable({ measure, classes, count, target }: MeasureTableProps) {
  const letters = Array.from({ length: count }, (_, place) => letterOf(place));
  const seeds = Math.max(...classes.map(({ interval }) => interval?.count ?? 0));
  return (
    <table className="compare-table">
      <caption>
        <b>{measure.title}</b>{" "}
        <span className="note">
          {measure.unit}
          {seeds > 1 && `, means of ${seeds} seeds`}
        </span>
      </caption>
      <thead>
        <tr>
          <th scope="col">Class</th>
          {target && (
            <th scope="col">
              <Term id="target">Target</Term>
            </th>
          )}
          {letters.map((letter) => (
            <th key={letter} scope="col">
              {letter}
            </th>
          ))}
          <th scope="col">{letters.at(-1)} vs A</th>
        </tr>
      </thead>
      <tbody>
        {classes.map(({ name, kindIndex, values, difference, interval }, i) => (
          <tr key={name}>
            <ClassHead name={name} kindIndex={kindIndex} />
            {target && <td className="weak">{measure.format(target(i))}</td>}
            {values.map((value, place) => (
              <td key={letterOf(place)}>{measure.format(value)}</td>
            ))}
            <td className="strong">
              {interval
                ? intervalText(measure, interval)
                : Number.isFinite(difference)
                  ? measure.formatDifference(difference)
                  : "–"}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How sure the differences are: the same runs with several seeds. */
function RepeatPanel({ repeats, rivals }: { readonly repeats: Repeats; readonly rivals: readonly Rival[] }) {
  const session = useSession();
  const scenario = useScenario();
  const state = useStore(repeats.store);
  const [count, setCount] = useState<number>(10);
  const first = Number(valueAt(scenario, "seed"));
  const runs = count * (rivals.length + 1);
  const start = () =>
    repeats.run(
      [...rivals.map((rival) => rival.scenario), scenario],
      Array.from({ length: count }, (_, turn) => first + turn),
      session.traces,
    );
  const { phase, part, secondsLeft, sentence } = state;
  const { known, wanted } = state.runs;
  return (
    <section className="panel" aria-labelledby="repeat-title">
      <header>
        <h2 id="repeat-title">
          Over several seeds <span className="note">paired, 95 % intervals</span>
        </h2>
      </header>
      {phase === "opening" || phase === "running" || phase === "paused" ? (
        <div className="compare-repeat">
          <progress aria-label="Runs with several seeds" value={part} />
          <span className="note">
            {known} of {wanted} runs
            {secondsLeft !== null && `, ${aboutTime(1000 * secondsLeft)} left`}
          </span>
          <RunButtons isPaused={phase === "paused"} runs={repeats} />
        </div>
      ) : (
        <div className="compare-repeat">
          <Select
            aria-label="Seeds"
            value={String(count)}
            options={SEED_COUNTS.map((value) => ({ value: String(value), title: `${value} seeds` }))}
            onChange={(next) => setCount(Number(next))}
          />
          <Button onClick={start}>{known > 0 ? "Run again" : "Run them"}</Button>
          <span className="note">
            {phase === "done"
              ? `${wanted} runs done.`
              : phase === "cancelled"
                ? `Cancelled: ${known} of ${wanted} runs are kept.`
                : `${runs} runs of ${formatDuration(scenario.durationUs)}.`}
          </span>
        </div>
      )}
      {phase === "failed" && <p className="note">The runs ended: {sentence}</p>}
    </section>
  );
}
