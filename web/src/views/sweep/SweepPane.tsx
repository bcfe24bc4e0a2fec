import { useId, useMemo } from "react";
import { fixed } from "../../charts/drawing/format.ts";
import { CurveChart } from "../../charts/study/CurveChart.tsx";
import { columnStates, curvesOf, leastHeight } from "../../charts/study/curves.ts";
import { HeatChart } from "../../charts/study/HeatChart.tsx";
import { heatExtent, heatOf, nearest } from "../../charts/study/heat.ts";
import { valuesOf } from "../../charts/study/parameterAxis.ts";
import { pointText } from "../../charts/study/studyTable.ts";
import { factorName, namedWithin, numberText, valueText } from "../../charts/study/studyText.ts";
import type { ExportStamp } from "../../charts/types.ts";
import { studyRuns } from "../../engine/campaign/study/studies.ts";
import type { StudyFactor, StudyTable } from "../../generated/answers.d.ts";
import { useRun, useScenario, useSession } from "../../panels/context.tsx";
import { NumberField } from "../../panels/NumberField.tsx";
import { identityIndices } from "../../run/identity.ts";
import type { MenuEntry } from "../../ui/Menu.tsx";
import { useFrame } from "../../ui/media.ts";
import { Segmented } from "../../ui/Segmented.tsx";
import { Select } from "../../ui/Select.tsx";
import { useHeight } from "../../ui/useHeight.ts";
import { GUTTERS } from "../../workbench/layout.ts";
import { compareView } from "../../workbench/state/compareView.ts";
import { exploreView } from "../../workbench/state/exploreView.ts";
import { sweepView } from "../../workbench/state/sweepView.ts";
import { useStudy } from "../../workbench/study/useStudy.tsx";
import { useViewState, useViews } from "../../workbench/view/viewContext.tsx";

/** What a sweep comes to: curves of one thing that varies, a heat map of two, slices of three. */
export function SweepPane() {
  const { runs } = useStudy();
  const { table, answer } = runs;
  if (!table || table.factors.length === 0) return null;
  return (
    <>
      {answer?.kind === "sweep" && answer.says.length > 0 && (
        <section className="study-says" aria-label="What it says">
          <ul>
            {answer.says.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </section>
      )}
      {table.factors.length > 1 && <FormBar table={table} />}
      <Picture table={table} />
      <Reading table={table} />
    </>
  );
}

/** The measure and the slice that are shown, as far as the table has them. */
function useShownPart(table: StudyTable) {
  const [{ measure, slice, form, level }, change] = useViewState(sweepView);
  const at = Math.min(measure ?? 0, table.measures.length - 1);
  const third = table.factors[2];
  const slices = third ? valuesOf(table.points, 2, third) : [];
  const first = third && (nearest(slices, third) ?? slices[0]);
  return {
    measure: at,
    group: table.measures[at]?.group ?? "",
    slices,
    slice: third && (slices[slice ?? -1] ?? first),
    form,
    level,
    change,
  };
}

/** Heights of a picture: curves at least, of a heat map around its cells and of a row of them; higher, curves look steeper than they are. */
const [LEAST, AROUND, ROW, HIGHEST] = [320, 98, 36, 680];

/** The picture of the table, as high as there is room for. */
function Picture({ table }: { readonly table: StudyTable }) {
  const frame = useFrame();
  const { classes } = useScenario();
  const { study, runs } = useStudy();
  const { measure, group, slice, form, level } = useShownPart(table);
  const [box, room] = useHeight(LEAST);
  const stamp = useStudyStamp(table);
  const entries = usePointEntries(table);
  const names = useMemo(() => classes.map(({ name }) => name), [classes]);
  const isHeat = table.factors.length > 1 && form === "heat";
  const curves = useMemo(
    () => (isHeat ? null : curvesOf(table, { classes: names, group, slice })),
    [isHeat, table, names, group, slice],
  );
  const heat = useMemo(
    () => (isHeat ? heatOf(table, { measure, slice, level }) : null),
    [isHeat, table, measure, slice, level],
  );
  const least = curves ? Math.max(LEAST, leastHeight(curves)) : AROUND + (ROW / 2) * (heat?.rows.length ?? 0);
  const most = curves ? Math.max(least, HIGHEST) : AROUND + ROW * (heat?.rows.length ?? 0);
  const height = Math.max(least, Math.min(most, room));
  return (
    <div
      ref={box}
      className="study-picture"
      aria-busy={runs.phase === "opening"}
      style={{ minHeight: least, maxHeight: most }}
    >
      {heat && (
        <HeatChart
          picture={heat}
          read={readOf(table, names)}
          height={height}
          stamp={stamp}
          entries={entries}
        />
      )}
      {curves && (
        <CurveChart
          picture={curves}
          height={height}
          gutters={GUTTERS[frame]}
          stamp={stamp}
          entries={entries}
          subject={`${JSON.stringify([study?.vary, study?.measures])} ${group} ${slice ?? ""}`}
        />
      )}
    </div>
  );
}

/** All measures of a table, and the looks of their classes. */
function readOf({ measures }: StudyTable, classes: readonly string[]) {
  const looks = identityIndices(classes);
  return measures.map(({ class: name }, measure) => ({
    measure,
    kindIndex: name === null ? null : (looks[classes.indexOf(name)] ?? null),
  }));
}

/** Which measure, in which form, and which slice of a third thing. */
function FormBar({ table }: { readonly table: StudyTable }) {
  const { measure, group, slices, slice, form, level, change } = useShownPart(table);
  const id = useId();
  const third = table.factors[2];
  const { unit = null } = table.measures[measure] ?? {};
  const groups = [...new Set(table.measures.map((item) => item.group))];
  return (
    <div className="study-form">
      <Segmented
        label="Form"
        value={form}
        options={[
          { value: "heat", title: "Heat map" },
          { value: "curves", title: "Curves" },
        ]}
        onChange={(next) => change({ form: next })}
      />
      {form === "heat" ? (
        <Select
          aria-label="Measure"
          value={String(measure)}
          options={table.measures.map(({ title }, at) => ({ value: String(at), title }))}
          onChange={(next) => change({ measure: Number(next), level: null })}
        />
      ) : (
        <Select
          aria-label="Measure"
          value={group}
          options={groups.map((name) => ({ value: name, title: name }))}
          onChange={(next) =>
            change({ measure: table.measures.findIndex((item) => item.group === next), level: null })
          }
        />
      )}
      {third && slice !== undefined && (
        <span className="study-slice">
          <label htmlFor={`${id}-slice`}>{factorName(third)}</label>
          <Select
            id={`${id}-slice`}
            value={String(slices.indexOf(slice))}
            options={slices.map((value, at) => ({
              value: String(at),
              title: `${valueText(third, value)}${value === third.present ? ", now" : ""}`,
            }))}
            onChange={(next) => change({ slice: Number(next) })}
          />
        </span>
      )}
      {form === "heat" && (
        <span className="study-slice">
          <label htmlFor={`${id}-level`}>Line at</label>
          <NumberField
            id={`${id}-level`}
            label="Line at"
            field={{
              title: "The line",
              type: "number",
              optional: true,
              live: false,
              ...(unit && { unit }),
            }}
            value={level ?? undefined}
            placeholder="as now"
            onCommit={(value) => change({ level: value })}
          />
        </span>
      )}
    </div>
  );
}

/** How the picture is read, in a line or two. */
function Reading({ table }: { readonly table: StudyTable }) {
  const { classes } = useScenario();
  const { runs } = useStudy();
  const { group, measure, slice, form, level } = useShownPart(table);
  const [along] = table.factors as readonly [StudyFactor];
  const name = table.factors.length === 1 ? namedWithin(along) : "point";
  const counts = table.points.filter(({ refused }) => refused === null).map(({ wanted }) => wanted);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const seeds = least === most ? `${most} ${most === 1 ? "seed" : "seeds"}` : `${least} to ${most} seeds`;
  const same = most > 1 && least === most ? ` Same ${most} seeds at every ${name}.` : "";
  const isHeat = table.factors.length > 1 && form === "heat";
  const refused = table.points.filter((point) => point.refused !== null);
  const states = isHeat
    ? []
    : columnStates(curvesOf(table, { classes: classes.map((item) => item.name), group, slice }));
  const added = states.filter((state) => state === "added").length;
  if (counts.length === 0 && refused.length === 0) return null;
  return (
    <div className="study-reading">
      {counts.length > 0 && (
        <p>
          {isHeat
            ? `Each cell: mean of ${seeds}. ${heatWords(table, measure, slice, level)}`
            : `Each point: mean of ${seeds}.${most > 1 ? ` ${states.length > BARS ? "Band" : "Bars"}: 95 % confidence.` : " One seed gives no interval."}`}
          {same}
          {runs.phase === "running" && !isHeat && " Hollow: some seeds are still to run."}
          {added > 0 &&
            ` ${added} short ${added === 1 ? "stroke" : "strokes"} on the axis: added, because the curve bends there.`}
        </p>
      )}
      {refused.length > 0 && (
        <details>
          <summary>
            {fixed(refused.length, 0)} of {fixed(table.points.length, 0)} points refused: the engine cannot
            run such settings, and no run was made there
          </summary>
          <ul>
            {refused.slice(0, REFUSED).map((point) => (
              <li key={pointText(table, point)}>
                {pointText(table, point)}: {point.refused}
              </li>
            ))}
            {refused.length > REFUSED && <li>and {fixed(refused.length - REFUSED, 0)} more, in the table</li>}
          </ul>
        </details>
      )}
    </div>
  );
}

/** Values of more are so close together that their intervals are a band. */
const BARS = 130;

/** Refused points that are listed. */
const REFUSED = 20;

/** What ink and the line of a heat map mean. */
function heatWords(
  table: StudyTable,
  measure: number,
  slice: ReturnType<typeof useShownPart>["slice"],
  level: number | null,
): string {
  const picture = heatOf(table, { measure, slice, level });
  const extent = heatExtent(picture);
  const { unit = null } = table.measures[measure] ?? {};
  if (!extent) return "Rings: still to run.";
  const line = picture.level ? ` The line runs at ${picture.level.title}.` : "";
  return `Ink from ${numberText(unit, extent[0])} to ${numberText(unit, extent[1])}.${line}`;
}

/** What a file of the picture says about where it comes from. */
export function useStudyStamp({ firstSeed, points }: StudyTable): ExportStamp {
  const { name } = useScenario();
  const layout = useRun((run) => run.view?.layout);
  const most = points.reduce((sum, { wanted }) => Math.max(sum, wanted), 1);
  return {
    scenario: name,
    hash: layout?.hash ?? "",
    seed: most === 1 ? firstSeed : `${firstSeed} to ${firstSeed + most - 1}`,
    engineVersion: layout?.version ?? "",
  };
}

/** What a click on a point offers: that very run alone, or beside the present one. */
function usePointEntries(table: StudyTable): (point: number) => readonly MenuEntry[] {
  const session = useSession();
  const views = useViews();
  const [, changeCompare] = useViewState(compareView);
  const { locked } = session;
  return (place) => {
    const point = table.points[place];
    if (!point) return [];
    if (point.refused !== null)
      return [{ id: "refused", content: `Refused: ${point.refused}`, disabled: true, onSelect: () => {} }];
    const open = async (compares: boolean) => {
      const present = session.scenario;
      const scenario = await studyRuns.scenarioAt(place, 0);
      if (compares) changeCompare({ baselines: [present] });
      session.runEdited(scenario);
      views.show(compares ? compareView : exploreView);
    };
    return [
      {
        id: "open",
        content: (
          <>
            Open this run <span className="note">seed {table.firstSeed}</span>
          </>
        ),
        disabled: locked,
        onSelect: () => void open(false),
      },
      {
        id: "compare",
        content: "Compare with the present one",
        disabled: locked,
        onSelect: () => void open(true),
      },
    ];
  };
}
