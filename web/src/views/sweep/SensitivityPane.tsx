import { useId, useState } from "react";
import { ClassMarker } from "../../charts/frame/ClassMarker.tsx";
import { factorName, numberText, unitText } from "../../charts/study/studyText.ts";
import type { Effect, Ranking, StudyFactor, StudyMeasure, StudyTable } from "../../generated/answers.d.ts";
import { useScenario } from "../../panels/context.tsx";
import { NumberField } from "../../panels/NumberField.tsx";
import { identityIndices } from "../../run/identity.ts";
import { type Field, fieldAt } from "../../scenario/schema.ts";
import { Button } from "../../ui/Button.tsx";
import { classIdentity } from "../../ui/classes.ts";
import { Toggle } from "../../ui/Toggle.tsx";
import { sweepOf } from "../../workbench/study/studyEdit.ts";
import { useStudy } from "../../workbench/study/useStudy.tsx";
import { FactorName } from "./FactorName.tsx";
import { Refused } from "./Refused.tsx";
import { StudyFault } from "./StudyFault.tsx";
import {
  fullOf,
  holdSetting,
  inSight,
  isTold,
  ROLES,
  type ScreenedSetting,
  screened,
  screenedSettings,
  setScreenedRange,
  varyToo,
} from "./sensitivity.ts";
import "./SensitivityPane.css";

/** Which settings matter: a ranking for every measure, then the fields with the ranges over which they were moved. */
export function SensitivityPane() {
  const { study, suggestions, runs } = useStudy();
  const { table, answer, progress } = runs;
  if (!study || !suggestions) return null;
  const rankings = answer?.kind === "sensitivity" ? answer.rankings : null;
  return (
    <div className="sensitivity-pane">
      <section className="sensitivity-what">
        <p>
          {rankings ? (
            <>
              Each bar (<i>µ*</i>, Morris 1991) is how far a setting moves the measure on average, in either
              direction, when it crosses its range while the others stand anywhere in theirs. Whiskers: 95 %
              confidence. Dashed: how far another seed alone moves it.
            </>
          ) : (
            <>
              Walks through all settings, one moved at a time from many starting points, show which of them
              move a measure and which do not. {progress?.doing && `${progress.doing}.`}
            </>
          )}
        </p>
      </section>
      {rankings && table && (
        <div className="rankings">
          {rankings.map((ranking) => {
            const measure = table.measures[ranking.measure];
            return measure && <RankingBars key={measure.title} {...{ ranking, measure, table }} />;
          })}
        </div>
      )}
      <Settings rankings={rankings} table={table} />
      {table && (
        <section className="sensitivity-refused">
          <Refused table={table} />
        </section>
      )}
    </div>
  );
}

/** Bars that are in sight at first. */
const ROOM = 10;

/** What moves a measure, most first: a bar with its interval for each setting, beside the mark of chance. */
function RankingBars({
  ranking,
  measure,
  table,
}: {
  readonly ranking: Ranking;
  readonly measure: StudyMeasure;
  readonly table: StudyTable;
}) {
  const title = useId();
  const [all, setAll] = useState(false);
  const kind = useKind(measure.class);
  const { study, suggestions, change } = useStudy();
  const full = fullOf(ranking);
  const onVary = (at: number) => {
    const factor = study && suggestions && screened(study, suggestions)[at];
    return factor ? () => change(sweepOf(study, factor, suggestions)) : null;
  };
  const seen = all ? ranking.effects : inSight(ranking.effects, ROOM);
  const hidden = ranking.effects.length - seen.length;
  return (
    <section className="ranking" aria-labelledby={title}>
      <header>
        <h2 id={title}>
          {kind !== null && <ClassMarker kindIndex={kind} />}
          <span style={kind === null ? undefined : { color: classIdentity(kind).label }}>
            {measure.title}
          </span>{" "}
          <span className="note">{unitText(measure.unit)}</span>
        </h2>
      </header>
      <p className="ranking-says">{ranking.says}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">Setting</th>
            <th scope="col" className="ranking-axis">
              <span style={{ left: percent(ranking.chance / full) }}>another seed</span>
            </th>
            <th scope="col">Moves it by</th>
            <th scope="col">How</th>
          </tr>
        </thead>
        <tbody>
          {seen.map((effect) => {
            const factor = table.factors[effect.factor];
            return (
              factor && (
                <EffectRow
                  key={effect.factor}
                  {...{ effect, factor, full, measure }}
                  onVary={onVary(effect.factor)}
                  chance={ranking.chance}
                  mark={
                    !isTold(effect) ? "var(--s3)" : kind === null ? "var(--ink)" : classIdentity(kind).mark
                  }
                />
              )
            );
          })}
        </tbody>
      </table>
      {(hidden > 0 || all) && (
        <Button look="link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all
            ? "Fewer"
            : `${hidden} more${ranking.effects.slice(-hidden).some(isTold) ? "" : ": not told from chance, or nothing changed"}`}
        </Button>
      )}
    </section>
  );
}

/** How a class of the scenario looks; null where there is none. */
function useKind(name: string | null): number | null {
  const names = useScenario().classes.map((item) => item.name);
  const at = name === null ? -1 : names.indexOf(name);
  return at < 0 ? null : (identityIndices(names)[at] ?? null);
}

const percent = (share: number): string => `${(100 * Math.min(1, Math.max(0, share))).toFixed(2)}%`;

function EffectRow({
  effect,
  factor,
  full,
  chance,
  measure,
  mark,
  onVary,
}: {
  readonly effect: Effect;
  readonly factor: StudyFactor;
  readonly full: number;
  readonly chance: number;
  readonly measure: StudyMeasure;
  readonly mark: string;
  /** Shows how the measures depend on it; null where the study has no such factor any more. */
  readonly onVary: (() => void) | null;
}) {
  const { mean, low, high, role } = effect;
  const said = mean === null ? "all steps were refused" : ROLES[role];
  const name = <FactorName {...factor} />;
  return (
    <tr data-role={role}>
      <th scope="row">
        {onVary === null ? (
          name
        ) : (
          <button
            type="button"
            className="link"
            title="Vary this: its curve"
            aria-label={`Vary ${factorName(factor)}`}
            onClick={onVary}
          >
            {name}
          </button>
        )}
        <span className="ranking-role">{said}</span>
      </th>
      <td className="ranking-bar">
        <span>
          {mean !== null && <i style={{ width: percent(mean / full), background: mark }} />}
          {low !== null && high !== null && high > low && (
            <b style={{ left: percent(low / full), width: percent((high - low) / full) }} />
          )}
          <u style={{ left: percent(chance / full) }} />
        </span>
      </td>
      <td>
        {mean === null ? "–" : numberText(measure.unit, mean)}
        {low !== null && high !== null && high > low && (
          <span className="visually-hidden">
            , between {numberText(measure.unit, low)} and {numberText(measure.unit, high)}
          </span>
        )}
      </td>
      <td>{said}</td>
    </tr>
  );
}

/** Settings that are listed without being asked for. */
const LISTED = 40;

/** All settings that have an effect: over what each is moved, and how many of its steps count. */
function Settings({
  rankings,
  table,
}: {
  readonly rankings: readonly Ranking[] | null;
  readonly table: StudyTable | null;
}) {
  const title = useId();
  const [isWhole, setWhole] = useState(false);
  const { study, suggestions } = useStudy();
  if (!study || !suggestions) return null;
  const settings = screenedSettings(study, suggestions, table);
  const steps = new Map(rankings?.[0]?.effects.map((effect) => [effect.factor, effect.steps]));
  const most = Math.max(0, ...steps.values());
  const held = settings.filter(({ at }) => at === null);
  const varying = settings.length - held.length;
  const shown =
    isWhole || settings.length <= LISTED
      ? settings
      : varying <= LISTED
        ? settings.filter(({ at }) => at !== null)
        : rankings
          ? []
          : settings.slice(0, LISTED);
  return (
    <section className="screened" aria-labelledby={title}>
      <header>
        <h2 id={title}>
          Settings and their ranges{" "}
          <span className="note">
            {held.length === 0 ? `all ${varying}` : `${varying} of ${settings.length}`} that have an effect
            here
          </span>
        </h2>
        {settings.length > LISTED && (
          <Button look="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole
              ? "Show fewer"
              : shown.length > 0
                ? `Show the other ${settings.length - shown.length}`
                : "Show them"}
          </Button>
        )}
      </header>
      {shown.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls with the keys
        <section className="search-scroll" tabIndex={0} aria-label="The settings, table">
          <table className="search-table">
            <thead>
              <tr>
                <th scope="col">Vary</th>
                <th scope="col">Setting</th>
                <th scope="col">From</th>
                <th scope="col">To</th>
                {rankings && <th scope="col">Steps that count</th>}
              </tr>
            </thead>
            <tbody>
              {shown.map((item) => (
                <SettingRow
                  key={item.path ?? item.title}
                  item={item}
                  isLast={varying === 1 && item.at !== null}
                  steps={rankings && stepsText(item.at === null ? undefined : steps.get(item.at), most)}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

/** "12", "9 of 12: the others were refused" */
const stepsText = (steps: number | undefined, most: number): string =>
  steps === undefined ? "–" : steps < most ? `${steps} of ${most}: the others were refused` : String(steps);

function SettingRow({
  item,
  isLast,
  steps,
}: {
  readonly item: ScreenedSetting;
  /** The only one that varies. */
  readonly isLast: boolean;
  readonly steps: string | null;
}) {
  const { study, suggestions, change } = useStudy();
  const scenario = useScenario();
  const id = useId();
  if (!study || !suggestions) return null;
  const { at, path, range } = item;
  const bound = (end: "from" | "to") => (
    <NumberField
      label={`${item.title}, ${end}`}
      field={boundOf(item, scenario)}
      value={range?.[end]}
      disabled={at === null}
      onCommit={(value) => {
        if (value === null || at === null) return;
        change(setScreenedRange(study, suggestions, at, { [end]: value }));
      }}
    />
  );
  return (
    <tr data-off={at === null || undefined}>
      <td>
        <Toggle
          id={id}
          on={at !== null}
          disabled={isLast}
          onChange={() => {
            if (at !== null) change(holdSetting(study, suggestions, at));
            else if (path !== null) change(varyToo(study, suggestions, [path]));
          }}
        />
      </td>
      <th scope="row">
        <label htmlFor={id}>
          <span className="visually-hidden">Vary </span>
          <FactorName {...item} />
        </label>
        {at !== null && study.vary?.length ? <StudyFault path={`vary[${at}]`} /> : null}
      </th>
      {range === null ? (
        <td colSpan={2}>{item.values}</td>
      ) : (
        <>
          <td>{bound("from")}</td>
          <td>{bound("to")}</td>
        </>
      )}
      {steps !== null && <td>{steps}</td>}
    </tr>
  );
}

/** What the catalogue says of the field of a range: its limits and unit. */
function boundOf({ path, title, unit }: ScreenedSetting, scenario: object): Field {
  const plain: Field = {
    title,
    type: "number",
    optional: false,
    live: false,
    ...(unit !== null && { unit }),
  };
  try {
    return path === null ? plain : { ...fieldAt(path.replaceAll("[]", "[0]"), scenario), optional: false };
  } catch {
    return plain;
  }
}
