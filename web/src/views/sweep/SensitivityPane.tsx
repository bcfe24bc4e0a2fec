import { useId, useState } from "react";
import { ClassMarker } from "../../charts/frame/ClassMarker.tsx";
import { numberText, saidText, unitText } from "../../charts/study/studyText.ts";
import { useScenario, useSession } from "../../panels/context.tsx";
import { NumberField } from "../../panels/NumberField.tsx";
import { identityIndices } from "../../run/identity.ts";
import type { Effect, Ranking, StudyFactor, StudyMeasure, StudyTable } from "../../run/study.ts";
import { fieldAt } from "../../scenario/schema.ts";
import type { StudyRange } from "../../scenario/study.ts";
import { Button } from "../../ui/Button.tsx";
import { classIdentity } from "../../ui/classes.ts";
import { Toggle } from "../../ui/Toggle.tsx";
import { useViews } from "../viewContext.tsx";
import { Refused } from "./SearchPane.tsx";
import { StudyFault } from "./StudyFault.tsx";
import {
  fullOf,
  inSight,
  isTold,
  ROLES,
  type ScreenedField,
  screenedFields,
  setFieldRange,
  setFieldVaries,
} from "./sensitivity.ts";
import { useStudy } from "./useStudy.tsx";
import { varyThis } from "./varyThis.ts";
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
      <Fields rankings={rankings} table={table} />
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
export function RankingBars({
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
  const full = fullOf(ranking);
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
      <p className="ranking-says">{saidText(ranking.says)}</p>
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
}: {
  readonly effect: Effect;
  readonly factor: StudyFactor;
  readonly full: number;
  readonly chance: number;
  readonly measure: StudyMeasure;
  readonly mark: string;
}) {
  const session = useSession();
  const views = useViews();
  const { mean, low, high, role } = effect;
  const said = mean === null ? "all steps were refused" : ROLES[role];
  const path = factor.paths.length === 1 ? factor.paths[0] : undefined;
  const name = (
    <>
      {factor.title} {factor.symbol && <i className="sign">{factor.symbol}</i>}
    </>
  );
  return (
    <tr data-role={role}>
      <th scope="row">
        {path === undefined ? (
          name
        ) : (
          <button
            type="button"
            className="link"
            title="Vary this: its curve"
            aria-label={`Vary ${factor.title}`}
            onClick={() => void varyThis(path, "alone", session, views)}
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

/** Fields that are listed without being asked for. */
const LISTED = 40;

/** All fields that have an effect: over what each is moved, and how many of its steps count. */
function Fields({
  rankings,
  table,
}: {
  readonly rankings: readonly Ranking[] | null;
  readonly table: StudyTable | null;
}) {
  const title = useId();
  const [unfolded, setUnfolded] = useState<boolean | null>(null);
  const { study, suggestions, change } = useStudy();
  if (!study || !suggestions) return null;
  const fields = screenedFields(study, suggestions, table);
  const most = Math.max(0, ...(rankings ?? []).flatMap(({ effects }) => effects.map(({ steps }) => steps)));
  const steps = (factor: number | null) =>
    factor === null ? undefined : rankings?.[0]?.effects.find((effect) => effect.factor === factor)?.steps;
  const varying = fields.filter(({ at }) => at !== null).length;
  const isOpen = unfolded ?? fields.length <= LISTED;
  return (
    <section className="screened" aria-labelledby={title}>
      <header>
        <h2 id={title}>
          Settings and their ranges{" "}
          <span className="note">
            {varying === fields.length
              ? `all ${varying} that have an effect here`
              : `${varying} of ${fields.length}`}
          </span>
        </h2>
        {fields.length > LISTED && (
          <Button look="link" aria-expanded={isOpen} onClick={() => setUnfolded(!isOpen)}>
            {isOpen ? "Hide them" : "Show them"}
          </Button>
        )}
        {varying < fields.length && (
          <Button look="link" onClick={() => change({ ...study, vary: [] })}>
            Vary all
          </Button>
        )}
      </header>
      {isOpen && (
        <div className="search-scroll">
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
              {fields.map((item) => (
                <FieldRow
                  key={item.field.path}
                  item={item}
                  isLast={varying === 1 && item.at !== null}
                  steps={rankings ? stepsText(steps(item.factor), most) : null}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** "12", "9 of 12: the others were refused" */
const stepsText = (steps: number | undefined, most: number): string =>
  steps === undefined ? "–" : steps < most ? `${steps} of ${most}: the others were refused` : String(steps);

function FieldRow({
  item: { field, at, range },
  isLast,
  steps,
}: {
  readonly item: ScreenedField;
  /** The only one that varies. */
  readonly isLast: boolean;
  readonly steps: string | null;
}) {
  const { study, suggestions, change } = useStudy();
  const scenario = useScenario();
  const id = useId();
  if (!study || !suggestions) return null;
  const bound = (name: "from" | "to") => (
    <NumberField
      label={`${field.title}, ${name}`}
      field={boundOf(field.path, field.title, field.unit, scenario)}
      value={range?.[name]}
      disabled={at === null}
      onCommit={(value) => {
        const part: Partial<StudyRange> = value === null ? {} : { [name]: value };
        change(setFieldRange(study, suggestions, field.path, part));
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
          onChange={(on) => change(setFieldVaries(study, suggestions, field.path, on))}
        />
      </td>
      <th scope="row">
        <label htmlFor={id}>
          <span className="visually-hidden">Vary </span>
          {field.title} {field.symbol && <i className="sign">{field.symbol}</i>}
        </label>
        {study.vary?.length ? <StudyFault path={`vary[${at}]`} /> : null}
      </th>
      {range === null ? (
        <td colSpan={2}>{field.options.map((option) => option.title).join(", ")}</td>
      ) : (
        <>
          <td>{bound("from")}</td>
          <td>{bound("to")}</td>
        </>
      )}
      {steps !== null && <td>{at === null ? "–" : steps}</td>}
    </tr>
  );
}

/** What the catalogue says of the field of a range: its limits and unit. */
function boundOf(path: string, title: string, unit: string | null, scenario: object) {
  try {
    return { ...fieldAt(path.replaceAll("[]", "[0]"), scenario), optional: false };
  } catch {
    return { title, type: "number" as const, optional: false, live: false, ...(unit !== null && { unit }) };
  }
}
