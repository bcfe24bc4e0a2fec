import { numberText, spokenFactor } from "../../charts/study/studyText.ts";
import type { Found, Margin, StudyFactor } from "../../generated/answers.d.ts";
import { useScenario, useSession } from "../../panels/context.tsx";
import type { StudyDocument } from "../../scenario/study.ts";
import { Button } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { useFrame } from "../../ui/media.ts";
import { compareView } from "../../workbench/state/compareView.ts";
import {
  cellText,
  marginText,
  measureAt,
  preferenceName,
  type SearchParts,
  settingDifferences,
  withPoint,
} from "../../workbench/study/answer.ts";
import { loosened, type SearchAsk, setTarget } from "../../workbench/study/targets.ts";
import { useStudy } from "../../workbench/study/useStudy.tsx";
import { useViews } from "../../workbench/view/viewContext.tsx";
import { FactorName } from "./FactorName.tsx";
import "./SearchPane.css";

/** The answer in a sentence, and how sure it is. */
export function Verdict({ found }: { readonly found: Found }) {
  const [first, ...more] = found.says.split(/(?<=[.;]) (?=[A-Z])/);
  return (
    <section className="search-verdict" data-met={found.isMet} aria-live="polite">
      <h2>
        <Icon name={found.isMet ? "check" : "warning"} size={18} />
        <span>{found.headline}</span>
      </h2>
      <p className="search-says">{first}</p>
      {more.length > 0 && <p className="search-more">{more.join(" ")}</p>}
    </section>
  );
}

/** How every target fares at the answer, or at what comes nearest, and what is preferred there. */
export function Fares({
  study,
  ask,
  table,
  found,
}: SearchParts & { readonly study: StudyDocument; readonly found: Found }) {
  const { change } = useStudy();
  return (
    <section aria-label="How the targets fare">
      <header>
        <h2>How the targets fare {found.isMet ? "with the answer" : "with the nearest setting"}</h2>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls with the keys */}
      <section className="search-scroll" tabIndex={0} aria-label="The targets, table">
        <table className="search-table">
          <thead>
            <tr>
              <th scope="col">Target</th>
              <th scope="col">Measured</th>
              <th scope="col">Unseen seeds</th>
              <th scope="col">Margin in the worst seed that counts</th>
              {!found.isMet && <th scope="col">Would be met there</th>}
            </tr>
          </thead>
          <tbody>
            {found.targets.map(({ measure, says, measured, held, margin, isBinding }, at) => {
              const unit = table.measures[measure]?.unit ?? null;
              const near = nearestBound(ask, at, margin);
              return (
                <tr key={says} data-misses={margin !== null && margin < 0}>
                  <th scope="row">
                    {says}{" "}
                    {isBinding && <span className="search-tag">{found.isMet ? "nearest" : "fails"}</span>}
                  </th>
                  <td>{measured ?? "–"}</td>
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
                      {title}, as {item.wanted === "min" ? "small" : "large"} as possible
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
      </section>
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

interface SettingProps extends SearchParts {
  readonly point: number;
  readonly found: Found | null;
  /** Back to the answer; null where this is it, or there is none. */
  readonly onBack: (() => void) | null;
}

/** A setting as a difference to the present one, and what can be done with it. */
export function Setting({ ask, table, point, found, onBack }: SettingProps) {
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls with the keys */}
      <section className="search-scroll" tabIndex={0} aria-label="The settings, table">
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
      </section>
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
      {margin && <Limits name={spokenFactor(factor)} margin={margin} />}
    </>
  );
}

/** What limits a setting below, and above. */
function Limits({ name, margin }: { readonly name: string; readonly margin: Margin }) {
  if (margin.below === null && margin.above === null) return null;
  return (
    <span className="search-why">
      {margin.below !== null && (
        <details>
          <summary aria-label={`Limit of ${name} below`}>Limit below</summary>
          <p>{margin.below}</p>
        </details>
      )}
      {margin.above !== null && (
        <details>
          <summary aria-label={`Limit of ${name} above`}>Limit above</summary>
          <p>{margin.above}</p>
        </details>
      )}
    </span>
  );
}

/** What the targets are about, there. */
function Measured({ table, ask, point }: SearchParts & { readonly point: number }) {
  const item = table.points[point];
  if (item?.refused) return item.refused;
  const said = ask.targets.map((target) => {
    const at = measureAt(table, target);
    const cell = item?.cells[at];
    return `${target.measure} ${cell ? cellText(table.measures[at]?.unit ?? null, cell) : "–"}`;
  });
  return `${said.join(", ")}, ${item?.seeds === 1 ? "1 seed" : `${item?.seeds ?? 0} seeds`}.`;
}
