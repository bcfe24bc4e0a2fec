import { useState } from "react";
import { ScatterChart } from "../../charts/study/ScatterChart.tsx";
import {
  factorName,
  meanText,
  numberText,
  saidText,
  spokenFactor,
  unitText,
  valueText,
} from "../../charts/study/studyText.ts";
import { useScenario, useSession } from "../../panels/context.tsx";
import type { Margin, SearchAnswer, Standing, StudyCell, StudyFactor, StudyTable } from "../../run/study.ts";
import type { StudyDocument, Suggestions } from "../../scenario/study.ts";
import { Button } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { useFrame } from "../../ui/media.ts";
import { Segmented } from "../../ui/Segmented.tsx";
import { Select } from "../../ui/Select.tsx";
import { compareView } from "../compare/compareView.ts";
import { useViews } from "../viewContext.tsx";
import {
  candidatesPicture,
  marginText,
  measureAt,
  preferenceName,
  settingDifferences,
  standingCounts,
  tradeOffPicture,
  withPoint,
} from "./answer.ts";
import { FactorName } from "./FactorName.tsx";
import { useStudyStamp } from "./SweepPane.tsx";
import {
  loosened,
  measureChoices,
  partsOf,
  preferables,
  type SearchAsk,
  searchOf,
  setTarget,
} from "./targets.ts";
import { useStudy } from "./useStudy.tsx";
import "./SearchPane.css";

/** Which settings meet the targets: the field of what is tried as it thins, then the answer with its certainty. */
export function SearchPane() {
  const { study, suggestions, runs } = useStudy();
  const { table, progress, answer, phase } = runs;
  const [looked, setLooked] = useState<number | null>(null);
  const ask = study && searchOf(study);
  if (!study || !ask || !suggestions) return null;
  if (!table || table.points.length === 0 || (phase === "ready" && runs.runs.known === 0)) {
    return (
      <div className="search-pane">
        <NotBegun study={study} ask={ask} suggestions={suggestions} />
      </div>
    );
  }
  const found = answer?.kind === "search" ? answer : null;
  const point = looked !== null && looked < table.points.length ? looked : (found?.point ?? null);
  const candidates = progress?.candidates ?? [];
  return (
    <div className="search-pane">
      {found && <Verdict found={found} />}
      {!found && (
        <SoFar
          table={table}
          candidates={candidates}
          isOver={phase === "cancelled" || phase === "failed"}
          doing={progress?.doing ?? ""}
        />
      )}
      {point !== null && (
        <Setting
          table={table}
          ask={ask}
          point={point}
          found={found}
          onBack={found && point !== found.point ? () => setLooked(null) : null}
        />
      )}
      {found && <Fares study={study} ask={ask} table={table} found={found} />}
      {found && found.tradeOff.length > 1 && ask.prefer.length > 1 && (
        <TradeOff table={table} ask={ask} found={found} point={point} onChoose={setLooked} />
      )}
      <Field {...{ study, ask, table, candidates, found }} onChoose={setLooked} />
    </div>
  );
}

interface PartProps {
  readonly ask: SearchAsk;
  readonly table: StudyTable;
}

/** What is asked, in a sentence, while nothing has been tried. */
function NotBegun({
  study,
  ask,
  suggestions,
}: {
  readonly study: StudyDocument;
  readonly ask: SearchAsk;
  readonly suggestions: Suggestions;
}) {
  const classes = useScenario().classes.map(({ name }) => name);
  const all = preferables(study, suggestions, classes);
  const choices = measureChoices(study, suggestions);
  const wished = ask.prefer.map(({ of, wanted }) => {
    const title = all.find((item) => item.of === of)?.title ?? of;
    return `${title} as ${wanted === "least" ? "small" : "large"} as possible`;
  });
  return (
    <section className="search-idle">
      <h2>{ask.targets.length === 1 ? "Settings that meet the target" : "Settings that meet the targets"}</h2>
      <ul>
        {ask.targets.map((target) => (
          <li key={target.measure}>
            {targetSaid(target, partsOf(target.measure, choices).choice?.unit ?? null)}
          </li>
        ))}
      </ul>
      {wished.length > 0 && <p>with {wished.join(" and ")}</p>}
      <p className="note">
        Many settings are tried under a few seeds, the better ones under more; the best is then confirmed
        under seeds that it was not chosen by. What was found is kept if you stop.
      </p>
    </section>
  );
}

function targetSaid(target: SearchAsk["targets"][number], unit: string | null): string {
  const bounds = [
    typeof target.atLeast === "number" ? `at least ${numberText(unit, target.atLeast)}` : "",
    typeof target.atMost === "number" ? `at most ${numberText(unit, target.atMost)}` : "",
  ].filter(Boolean);
  return `${target.measure} ${bounds.join(" and ") || "without a bound yet"}`;
}

/** What is known of a search that has no answer, and what it does. */
function SoFar({
  table,
  candidates,
  isOver,
  doing,
}: {
  readonly table: StudyTable;
  readonly candidates: readonly Standing[];
  readonly isOver: boolean;
  readonly doing: string;
}) {
  const counts = standingCounts(table, candidates);
  const left = counts.open + counts.leading;
  return (
    <section className="search-verdict">
      <h2 aria-live="polite">{isOver ? "Called off: no setting is confirmed" : doing || "Beginning"}</h2>
      <p>
        {left === 0
          ? "No setting tried so far meets all targets."
          : `${settings(left)} of ${table.points.length} may still be the answer.`}
        {isOver && " What was run is kept: the search goes on from here."}
      </p>
    </section>
  );
}

const settings = (count: number): string => (count === 1 ? "1 setting" : `${count} settings`);

/** The answer in a sentence, and how sure it is. */
function Verdict({ found }: { readonly found: SearchAnswer }) {
  const [first, ...more] = saidText(found.says).split(/(?<=[.;]) (?=[A-Z])/);
  return (
    <section className="search-verdict" data-met={found.isMet} aria-live="polite">
      <h2>
        <Icon name={found.isMet ? "check" : "warning"} size={18} />
        <span>{found.isMet ? "The targets are met" : "The targets cannot be met"}</span>
      </h2>
      <p className="search-says">{first}</p>
      {more.length > 0 && <p className="search-more">{more.join(" ")}</p>}
    </section>
  );
}

/** How every target fares at the answer, or at what comes nearest, and what is preferred there. */
function Fares({
  study,
  ask,
  table,
  found,
}: PartProps & { readonly study: StudyDocument; readonly found: SearchAnswer }) {
  const { change } = useStudy();
  return (
    <section aria-label="How the targets fare">
      <header>
        <h2>How the targets fare {found.isMet ? "with the answer" : "with the nearest setting"}</h2>
      </header>
      <div className="search-scroll">
        <table className="search-table">
          <thead>
            <tr>
              <th scope="col">Target</th>
              <th scope="col">Measured</th>
              <th scope="col">Unseen seeds</th>
              <th scope="col">Margin</th>
              {!found.isMet && <th scope="col">Would be met there</th>}
            </tr>
          </thead>
          <tbody>
            {found.targets.map(({ measure, says, cell, held, margin, isBinding }, at) => {
              const unit = table.measures[measure]?.unit ?? null;
              const near = nearestBound(ask, at, margin);
              return (
                <tr key={says} data-misses={margin !== null && margin < 0}>
                  <th scope="row">
                    {saidText(says)} {isBinding && <span className="search-tag">binds</span>}
                  </th>
                  <td>{cellText(unit, cell)}</td>
                  <td>
                    {held} of {found.of}
                  </td>
                  <td>
                    {margin === null
                      ? "–"
                      : `${margin < 0 ? "misses by " : ""}${numberText(unit, Number(Math.abs(margin).toPrecision(3)))}`}
                  </td>
                  {!found.isMet && (
                    <td>
                      {near && (
                        <Button look="link" onClick={() => change(setTarget(study, at, near.part))}>
                          Ask for {near.word} {numberText(unit, near.bound)}
                        </Button>
                      )}
                    </td>
                  )}
                </tr>
              );
            })}
            {ask.prefer.map((item, at) => {
              const { title, unit } = preferenceName(table, item);
              const cell = found.preferred[at];
              return (
                cell && (
                  <tr key={item.of}>
                    <th scope="row">
                      {title}, as {item.wanted === "least" ? "small" : "large"} as possible
                    </th>
                    <td>{cellText(unit, cell)}</td>
                    <td />
                    <td />
                    {!found.isMet && <td />}
                  </tr>
                )
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Digits to which a bound is loosened. */
const DIGITS = 3;

/** The bound that a target would keep at the nearest setting; null where it keeps its own. */
function nearestBound(ask: SearchAsk, at: number, margin: number | null) {
  const target = ask.targets[at];
  if (!target || margin === null || margin >= 0) return null;
  const isMost = typeof target.atMost === "number";
  const bound = isMost ? target.atMost : target.atLeast;
  if (typeof bound !== "number") return null;
  const next = loosened(bound - (isMost ? margin : -margin), isMost, DIGITS);
  return {
    bound: next,
    word: isMost ? "at most" : "at least",
    part: isMost ? { atMost: next } : { atLeast: next },
  };
}

/** "285 µs (281 to 290)" */
function cellText(unit: string | null, { mean, low, high, why }: StudyCell): string {
  return mean === null ? (why ?? "–") : meanText(unit, mean, low, high);
}

interface SettingProps extends PartProps {
  readonly point: number;
  readonly found: SearchAnswer | null;
  /** Back to the answer; null where this is it, or there is none. */
  readonly onBack: (() => void) | null;
}

/** A setting as a difference to the present one, and what can be done with it. */
function Setting({ ask, table, point, found, onBack }: SettingProps) {
  const session = useSession();
  const views = useViews();
  const scenario = useScenario();
  const isPhone = useFrame() === "phone";
  const item = table.points[point];
  if (!item) return null;
  const isAnswer = found !== null && found.point === point;
  const hasMargins = isAnswer && found.margins.length > 0;
  const rows = settingDifferences(table, point, found?.firstGuess ?? null, isAnswer ? found.margins : []);
  const hasGuess = rows.some(({ guess }) => guess !== null);
  const next = withPoint(scenario, item);
  const isApplied = rows.every(({ isChanged }) => !isChanged);
  return (
    <section className="search-setting" aria-label={isAnswer ? "The answer" : "A setting that was tried"}>
      <header>
        <h2>
          {isAnswer
            ? found.isMet
              ? "The answer"
              : "The nearest setting"
            : "A setting that was tried, not confirmed"}
        </h2>
        {onBack && (
          <Button look="link" onClick={onBack}>
            Back to {found?.isMet ? "the answer" : "the nearest setting"}
          </Button>
        )}
      </header>
      <div className="search-scroll">
        <table className="search-table">
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">Now</th>
              <th scope="col">{!isAnswer ? "There" : found.isMet ? "Answer" : "Nearest"}</th>
              {hasGuess && <th scope="col">Model’s first guess</th>}
              {hasMargins && !isPhone && <th scope="col">All targets hold within, alone</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ factor, now, value, guess, isChanged, margin }) => (
              <tr key={factor.title}>
                <th scope="row">
                  <FactorName {...factor} />
                </th>
                <td>{now}</td>
                <td>
                  <span aria-hidden="true">→ </span>
                  {isChanged ? <b>{value}</b> : value}
                </td>
                {hasGuess && <td>{guess ?? "–"}</td>}
                {hasMargins && !isPhone && (
                  <td>
                    <MarginSaid factor={factor} margin={margin} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hasMargins && isPhone && (
        <dl className="search-margins" aria-label="All targets hold within, alone">
          {rows.map(({ factor, margin }) => (
            <div key={factor.title}>
              <dt>{spokenFactor(factor)} alone</dt>
              <dd>
                <MarginSaid factor={factor} margin={margin} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {!isAnswer && (
        <p className="note">
          <Measured table={table} ask={ask} point={point} />
        </p>
      )}
      {hasGuess && found?.firstGuess != null && found.firstGuess !== point && (
        <p className="note">
          The model’s first guess: <Measured table={table} ask={ask} point={found.firstGuess} />
        </p>
      )}
      <div className="button-row">
        <Button
          look="primary"
          aria-disabled={isApplied || undefined}
          onClick={() => {
            if (!isApplied) session.runEdited(next);
          }}
        >
          {found && !found.isMet && isAnswer ? "Apply the nearest" : "Apply"}
        </Button>
        <Button
          icon="compare"
          onClick={() => {
            views.change(compareView, { baselines: [next] });
            views.show(compareView);
          }}
        >
          Compare
        </Button>
        {isApplied && <span className="note">These settings are in force.</span>}
      </div>
    </section>
  );
}

/** How far a setting may move alone before a target breaks. */
function MarginSaid({ factor, margin }: { readonly factor: StudyFactor; readonly margin: Margin | null }) {
  return (
    <>
      {(margin && marginText(factor, margin)) ?? "–"}
      {margin && <WhyNot name={spokenFactor(factor)} margin={margin} />}
    </>
  );
}

/** What breaks at the next value below, and above. */
function WhyNot({ name, margin }: { readonly name: string; readonly margin: Margin }) {
  if (margin.below === null && margin.above === null) return null;
  return (
    <span className="search-why">
      {margin.below !== null && (
        <details>
          <summary aria-label={`Why not less ${name}?`}>Why not less?</summary>
          <p>{saidText(margin.below)}</p>
        </details>
      )}
      {margin.above !== null && (
        <details>
          <summary aria-label={`Why not more ${name}?`}>Why not more?</summary>
          <p>{saidText(margin.above)}</p>
        </details>
      )}
    </span>
  );
}

/** What the targets are about, there. */
function Measured({ table, ask, point }: PartProps & { readonly point: number }) {
  const item = table.points[point];
  if (item?.refused) return item.refused;
  const said = ask.targets.map((target) => {
    const at = measureAt(table, target);
    const cell = item?.cells[at];
    return `${target.measure} ${cell ? cellText(table.measures[at]?.unit ?? null, cell) : "–"}`;
  });
  return `${said.join(", ")}, ${item?.seeds === 1 ? "1 seed" : `${item?.seeds ?? 0} seeds`}.`;
}

/** The trade-off between two things that are preferred: each point of the curve can be looked at. */
function TradeOff({
  table,
  ask,
  found,
  point,
  onChoose,
}: PartProps & {
  readonly found: SearchAnswer;
  readonly point: number | null;
  readonly onChoose: (point: number) => void;
}) {
  const stamp = useStudyStamp(table);
  const [first, second] = ask.prefer;
  if (!first || !second) return null;
  const names = [preferenceName(table, first), preferenceName(table, second)] as const;
  const picture = tradeOffPicture(table, [first, second], found, point);
  return (
    <section className="search-charts" data-count={1} aria-label="Trade-off">
      <ScatterChart
        id="trade-off"
        title={`${names[1].title} against ${names[0].title}`}
        unit={[unitText(names[1].unit), "axes do not start at 0"].filter(Boolean).join(", ")}
        height={260}
        picture={picture}
        sentence={`${picture.marks.length} settings of which none is better in both ${names[0].title} and ${names[1].title}.`}
        headers={names.map(({ title, unit }) => (unit ? `${title} (${unit})` : title))}
        rows={() => picture.marks.map(({ x, y }) => [x, y ?? ""])}
        stamp={stamp}
        read={(at) => readingOf(table, ask, at)}
        onChoose={onChoose}
        choosing="Enter looks at its setting."
      />
    </section>
  );
}

/** What stands beside a mark: its settings, then what they gave. */
function readingOf(table: StudyTable, ask: SearchAsk, at: number): readonly (readonly [string, string])[] {
  const item = table.points[at];
  if (!item) return [];
  const measured = [
    ...new Set([...ask.targets.map(({ measure }) => measure), ...ask.prefer.map(({ of }) => of)]),
  ];
  return [
    ...table.factors.map((factor, place): readonly [string, string] => [
      spokenFactor(factor),
      valueText(factor, item.values[place] ?? ""),
    ]),
    ...table.measures.flatMap(({ title, unit }, place): (readonly [string, string])[] => {
      const cell = item.cells[place];
      return measured.includes(title) && cell ? [[title, cellText(unit, cell)]] : [];
    }),
    ["seeds", String(item.seeds)],
  ];
}

/** What each mark of the field says. */
const STANDINGS: readonly { readonly standing: Standing; readonly said: (count: number) => string }[] = [
  { standing: "leading", said: (count) => `${count} leading` },
  { standing: "open", said: (count) => `${count} open` },
  { standing: "beaten", said: (count) => `${count} beaten` },
  { standing: "misses", said: (count) => (count === 1 ? "1 misses a target" : `${count} miss a target`) },
];

/** All that was tried, factor by factor, against what a target asks: it thins as the search learns. */
function Field({
  study,
  ask,
  table,
  candidates,
  found,
  onChoose,
}: PartProps & {
  readonly study: StudyDocument;
  readonly candidates: readonly Standing[];
  readonly found: SearchAnswer | null;
  readonly onChoose: (point: number) => void;
}) {
  const stamp = useStudyStamp(table);
  const frame = useFrame();
  const [chosen, setChosen] = useState(0);
  const target = ask.targets[Math.min(chosen, ask.targets.length - 1)];
  if (!target) return null;
  const counts = standingCounts(table, candidates);
  const measure = table.measures[measureAt(table, target)];
  const named = {
    found: found?.point ?? null,
    word: found?.isMet ? "answer" : "nearest",
    guess: found?.firstGuess ?? null,
  };
  const options = ask.targets.map(({ measure: title }, at) => ({ value: String(at), title }));
  const choose = (value: string) => setChosen(Number(value));
  return (
    <section className="search-field" aria-label="What was tried">
      <header>
        <h2>What was tried</h2>
        {options.length > 3 || (options.length > 1 && frame === "phone") ? (
          <Select aria-label="Target shown" value={String(chosen)} options={options} onChange={choose} />
        ) : (
          options.length > 1 && (
            <Segmented label="Target shown" value={String(chosen)} options={options} onChange={choose} />
          )
        )}
        <ul className="search-standings" aria-label="What is thought of it">
          {STANDINGS.map(({ standing, said }) => (
            <li key={standing} data-standing={standing}>
              <Glyph standing={standing} /> {said(counts[standing])}
            </li>
          ))}
          {counts.refused > 0 && <li>{counts.refused} refused</li>}
        </ul>
      </header>
      <div className="search-charts" data-count={table.factors.length}>
        {table.factors.map((factor, at) => {
          const picture = candidatesPicture(study, table, candidates, at, target, named);
          return (
            <ScatterChart
              key={factor.title}
              id={`candidates-${at}`}
              title={factorName(factor)}
              unit={`${measure?.title ?? target.measure}${measure?.unit ? `, ${unitText(measure.unit)}` : ""}`}
              height={220}
              picture={picture}
              sentence={`${settings(picture.marks.length)} tried of ${factorName(factor)}: ${STANDINGS.map(({ standing, said }) => said(counts[standing])).join(", ")}.`}
              headers={[
                ...table.factors.map(({ title, unit }) => (unit ? `${title} (${unit})` : title)),
                ...table.measures.map(({ title, unit }) => (unit ? `${title} (${unit})` : title)),
                "seeds",
                "standing",
              ]}
              rows={() =>
                table.points.map((point, place) => [
                  ...point.values.map((value) => (typeof value === "number" ? value : String(value))),
                  ...table.measures.map((_, cell) => point.cells[cell]?.mean ?? ""),
                  point.seeds,
                  point.refused ?? candidates[place] ?? "open",
                ])
              }
              stamp={stamp}
              read={(place) => readingOf(table, ask, place)}
              onChoose={onChoose}
              choosing="Enter looks at its setting."
            />
          );
        })}
      </div>
      <Refused table={table} />
    </section>
  );
}

/** A mark of the field beside what it says. */
function Glyph({ standing }: { readonly standing: Standing }) {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" data-standing={standing}>
      {standing === "misses" ? (
        <path d="M3.4 3.4l5.2 5.2M8.6 3.4l-5.2 5.2" />
      ) : (
        <circle cx="6" cy="6" r={standing === "leading" ? 4.6 : 3.2} />
      )}
    </svg>
  );
}

/** Settings that the engine refuses, by its sentence. */
export function Refused({ table }: { readonly table: StudyTable }) {
  const refused = table.points.flatMap(({ refused: sentence }) => sentence ?? []);
  const sentences = [...new Set(refused)];
  if (sentences.length === 0) return null;
  return (
    <details className="search-refused">
      <summary>
        {settings(refused.length)} of {table.points.length} {refused.length === 1 ? "is" : "are"} refused
      </summary>
      <ul>
        {sentences.slice(0, SHOWN).map((sentence) => (
          <li key={sentence}>
            {sentence} <span className="note">×{refused.filter((other) => other === sentence).length}</span>
          </li>
        ))}
        {sentences.length > SHOWN && <li className="note">and {sentences.length - SHOWN} other reasons</li>}
      </ul>
    </details>
  );
}

/** Reasons that are listed. */
const SHOWN = 8;
