import { useId, useState } from "react";
import { factorName, namedWithin } from "../../charts/study/studyText.ts";
import { useScenario, useSession } from "../../panels/context.tsx";
import { NumberField } from "../../panels/NumberField.tsx";
import { Panel } from "../../panels/Panel.tsx";
import { useDraft } from "../../panels/useDraft.ts";
import { unitName } from "../../scenario/check.ts";
import type { Field } from "../../scenario/schema.ts";
import { fieldAt } from "../../scenario/schema.ts";
import type {
  FieldSuggestion,
  StudyDocument,
  StudyFactorDocument,
  StudyKind,
  StudyMeasureDocument,
  Suggestions,
} from "../../scenario/study.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { late } from "../../ui/onDemand.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { Select } from "../../ui/Select.tsx";
import { TextField } from "../../ui/TextField.tsx";
import type { SidebarPanel } from "../../workbench/settings/Sidebar.tsx";
import { comeBack } from "../../workbench/study/leftBehind.ts";
import {
  addFactor,
  factorsOf,
  hasRoom,
  measureOf,
  nameOf,
  removeFactor,
  replaceFactor,
  setMeasures,
  setRange,
  setScreening,
  setSeeds,
  setSweep,
  setValues,
  suggestionOf,
  withKind,
} from "../../workbench/study/studyEdit.ts";
import { firstWishes, nowOf } from "../../workbench/study/targets.ts";
import { useStudy } from "../../workbench/study/useStudy.tsx";
import { KeptResults } from "./KeptResults.tsx";
import { Diagnostic, StudyFault } from "./StudyFault.tsx";
import { costText, seedsText } from "./studyText.ts";
import { TargetsEditor } from "./TargetsEditor.tsx";
import "./StudyColumn.css";

/** The study as it is edited: only where there is one. */
interface EditorProps {
  readonly study: StudyDocument;
  readonly suggestions: Suggestions;
  readonly onChange: (study: StudyDocument) => void;
}

const KINDS: readonly { readonly value: StudyKind; readonly title: string }[] = [
  { value: "sweep", title: "Sweep" },
  { value: "sensitivity", title: "What matters" },
  { value: "search", title: "Search" },
];

/** What is asked: how measures depend on settings, which settings matter, or which meet targets. */
export function KindSwitch() {
  const { study, suggestions, runs, change } = useStudy();
  const session = useSession();
  const classes = useScenario().classes.map(({ name }) => name);
  if (!study || !suggestions) return null;
  return (
    <Segmented
      label="What is asked"
      value={study.ask.kind}
      options={KINDS}
      onChange={(kind) => {
        const now = nowOf(study, runs.table, session.run.getState().view);
        const wishes = firstWishes(study, suggestions, classes, now);
        change(comeBack(session, withKind(study, kind, suggestions, wishes)));
      }}
    />
  );
}

const StudyList = late<{ readonly kind: StudyKind }>(() => import("./StudyList.tsx"));

/** The parts of the column, by what is asked. */
export function useStudyPanels(): readonly SidebarPanel[] {
  const { study, suggestions, change } = useStudy();
  if (!study || !suggestions) return [];
  const { kind } = study.ask;
  const editing = { study, suggestions, onChange: change };
  const panels: readonly (SidebarPanel | false)[] = [
    // Of what matters the fields stand beside their effects.
    kind !== "sensitivity" && {
      id: "vary",
      title: VARY[kind].short,
      icon: "settings",
      panel: <VaryPanel {...editing} />,
    },
    kind === "search" && {
      id: "targets",
      title: "Targets",
      icon: "check",
      panel: <TargetsEditor study={study} onChange={change} />,
    },
    { id: "repeat", title: "Repeat", icon: "dice", panel: <RepeatPanel {...editing} /> },
    { id: "measures", title: "Measure", icon: "figures", panel: <MeasuresPanel {...editing} /> },
    { id: "cost", title: "Cost", panel: <CostPanel /> },
    { id: "studies", title: "Studies", panel: <StudyList kind={kind} /> },
  ];
  return panels.filter((panel) => panel !== false);
}

interface VaryWords {
  readonly title: string;
  readonly short: string;
  /** What adds the first one, the second, and so on. */
  readonly add: readonly string[];
}

const VARY: Readonly<Record<Exclude<StudyKind, "sensitivity">, VaryWords>> = {
  sweep: {
    title: "Vary",
    short: "Vary",
    add: ["Vary a parameter", "Vary a second parameter", "Vary a third parameter"],
  },
  search: { title: "Free settings", short: "Free", add: ["Free a setting", "Free another setting"] },
};

/** What varies, each with its values. */
function VaryPanel({ study, suggestions, onChange }: EditorProps) {
  const { title, add } = VARY[study.ask.kind === "search" ? "search" : "sweep"];
  const factors = factorsOf(study);
  return (
    <Panel id="vary" title={title}>
      {factors.map((factor, at) => (
        <FactorEditor
          key={factor.path ?? nameOf(factor, suggestions)}
          {...{ study, suggestions, onChange, factor, at }}
        />
      ))}
      {hasRoom(study) && (
        <AddSelect
          label={add[Math.min(factors.length, add.length - 1)] ?? ""}
          options={suggestions.fields
            .filter(({ path }) => factors.every((factor) => factor.path !== path))
            .map((field) => ({ value: field.path, title: factorName(field) }))}
          onAdd={(path) => {
            const added = suggestions.fields.find((field) => field.path === path);
            if (added) onChange(addFactor(study, added, suggestions));
          }}
        />
      )}
      <StudyFault path="vary" exactly />
    </Panel>
  );
}

interface FactorEditorProps extends EditorProps {
  readonly factor: StudyFactorDocument;
  readonly at: number;
}

/** One thing that varies, and over which values. */
function FactorEditor({ study, suggestions, onChange, factor, at }: FactorEditorProps) {
  const id = useId();
  const found = suggestionOf(factor, suggestions);
  const known = useStudy().runs.table?.factors[at];
  // What is none of the suggested fields the engine names in the table.
  const name = !found && known ? factorName(known) : nameOf(factor, suggestions);
  const taken = factorsOf(study).map(({ path }) => path);
  // Without anything that varies there is nothing to sweep, or to search.
  const canGo = taken.length > 1;
  return (
    <fieldset className="study-factor" aria-label={name} data-factor={factor.path}>
      <div className="row-main">
        <label className="row-label" htmlFor={id}>
          Parameter
        </label>
        {found ? (
          <Select
            id={id}
            value={found.path}
            options={suggestions.fields
              .filter(({ path }) => path === found.path || !taken.includes(path))
              .map((field) => ({ value: field.path, title: factorName(field) }))}
            onChange={(path) => {
              const next = suggestions.fields.find((field) => field.path === path);
              if (next) onChange(replaceFactor(study, at, next, suggestions));
            }}
          />
        ) : (
          <b className="study-own">{name}</b>
        )}
        {canGo && (
          <IconButton
            icon="close"
            label={`Vary ${name} no more`}
            onClick={() => onChange(removeFactor(study, at, suggestions))}
          />
        )}
      </div>
      {factor.range ? (
        <RangeEditor {...{ study, suggestions, onChange, factor, at }} />
      ) : found?.isWords ? (
        <WordsEditor {...{ study, suggestions, onChange, factor, at }} field={found} />
      ) : factor.alternatives?.length ? (
        <p className="row-note">{factor.alternatives.map(({ title }) => title).join(", ")}</p>
      ) : (
        <ValuesEditor {...{ study, suggestions, onChange, factor, at }} />
      )}
      <StudyFault path={`vary[${at}]`} />
    </fieldset>
  );
}

/** What a number field of a study takes: the unit and limits of the field that varies, where that is one. */
function useVaried({ path }: StudyFactorDocument, title: string, found: FieldSuggestion | undefined): Field {
  const scenario = useScenario();
  const described = path ? fieldOf(path, scenario) : undefined;
  return {
    title,
    type: described?.type ?? "number",
    optional: false,
    live: false,
    ...(found?.unit && { unit: found.unit }),
    ...(described?.minimum !== undefined && { minimum: described.minimum }),
    ...(described?.maximum !== undefined && { maximum: described.maximum }),
  };
}

/** The field at a path, `[]` standing for the first element; undefined where the document has none. */
function fieldOf(path: string, scenario: unknown): Field | undefined {
  try {
    return fieldAt(path.replaceAll("[]", "[0]"), scenario);
  } catch {
    return undefined;
  }
}

/** From where to where, how many, and how they lie. */
function RangeEditor({ study, suggestions, onChange, factor, at }: FactorEditorProps) {
  const found = suggestionOf(factor, suggestions);
  const from = useVaried(factor, "From", found);
  const to = { ...from, title: "To" };
  const { range } = factor;
  if (!range) return null;
  const set = (part: Partial<typeof range>) => onChange(setRange(study, at, part));
  const hasBends = study.ask.kind === "sweep" && factorsOf(study).length === 1;
  return (
    <>
      <NumberRow
        field={from}
        value={range.from}
        onCommit={(value) => value !== null && set({ from: value })}
      />
      <NumberRow field={to} value={range.to} onCommit={(value) => value !== null && set({ to: value })} />
      <NumberRow
        field={{ ...COUNT, title: "Values" }}
        value={range.count}
        onCommit={(value) => value !== null && set({ count: value })}
      />
      <div className="row-main">
        <span className="row-label">Spacing</span>
        <Segmented
          label="Spacing"
          value={range.scale ?? "even"}
          options={[
            { value: "even", title: "even" },
            { value: "log", title: "log" },
          ]}
          onChange={(scale) => set({ scale })}
        />
      </div>
      {hasBends && <BendsRow {...{ study, suggestions, onChange }} />}
    </>
  );
}

/** A whole number of things. What is too many the engine says. */
const COUNT: Field = { title: "", type: "integer", optional: false, live: false, minimum: 1 };

/** Points that are added where the curve bends most. */
function BendsRow({ study, onChange }: EditorProps) {
  if (study.ask.kind !== "sweep") return null;
  return (
    <NumberRow
      field={{ ...COUNT, title: "Added at bends", optional: true }}
      value={study.ask.bends || undefined}
      placeholder="none"
      onCommit={(value) => onChange(setSweep(study, { bends: value ?? 0 }))}
    />
  );
}

interface NumberRowProps {
  readonly field: Field;
  readonly value: number | undefined;
  readonly placeholder?: string;
  readonly onCommit: (value: number | null) => void;
}

/** A number of the study with its name and unit. */
function NumberRow({ field, value, placeholder, onCommit }: NumberRowProps) {
  const id = useId();
  return (
    <div className="row-main">
      <label className="row-label" htmlFor={id}>
        {field.title}
      </label>
      <NumberField
        id={id}
        label={field.title}
        field={field}
        value={value}
        placeholder={placeholder}
        onCommit={onCommit}
      />
    </div>
  );
}

/** Which of the words. */
function WordsEditor({
  study,
  onChange,
  factor,
  at,
  field,
}: FactorEditorProps & { readonly field: FieldSuggestion }) {
  const values = factor.values ?? [];
  const toggle = (value: string | boolean, on: boolean) =>
    onChange(
      setValues(
        study,
        at,
        field.options
          .map((option) => option.value)
          .filter((item) => (item === value ? on : values.includes(item))),
      ),
    );
  return (
    <ul className="study-words">
      {field.options.map(({ value, title }) => (
        <li key={String(value)}>
          <label>
            <input
              type="checkbox"
              checked={values.includes(value)}
              onChange={(event) => toggle(value, event.target.checked)}
            />
            {title}
          </label>
        </li>
      ))}
    </ul>
  );
}

/** Values one by one, as a text with commas between. */
function ValuesEditor({ study, onChange, factor, at }: FactorEditorProps) {
  const id = useId();
  const text = (factor.values ?? []).map(String).join(", ");
  const draft = useDraft({
    text,
    take(typed) {
      const entries = typed.split(",").map((entry) => entry.trim());
      // Of a field that holds words the engine knows which.
      const isWords = factor.values?.some((value) => typeof value === "string") ?? false;
      const values = isWords ? entries : entries.map((entry) => Number(entry || Number.NaN));
      const wrong = values.findIndex((value) => value === "" || Number.isNaN(value));
      if (wrong >= 0)
        return `Value ${wrong + 1} is ${isWords ? "empty" : "not a number"}. Write ${isWords ? "words" : "numbers"} between commas.`;
      if (typed !== text) onChange(setValues(study, at, values));
      return null;
    },
  });
  return (
    <div className="row-main">
      <label className="row-label" htmlFor={id}>
        Values
      </label>
      <TextField id={id} spellCheck={false} aria-invalid={draft.fault !== null} {...draft.input} />
      {draft.fault && <Diagnostic sentence={draft.fault} />}
    </div>
  );
}

/** How often every point is run, and until when. */
function RepeatPanel({ study, suggestions, onChange }: EditorProps) {
  const { runs } = useStudy();
  const { table } = runs;
  const count = study.seeds?.count ?? runs.document?.seeds?.count;
  const what = (table?.factors ?? []).map(namedWithin);
  const within = study.ask.kind === "sweep" ? study.ask.within : null;
  return (
    <Panel id="repeat" title="Repeat">
      <NumberRow
        field={{ ...COUNT, title: study.ask.kind === "sweep" ? "Seeds per value" : "Seeds" }}
        value={count}
        onCommit={(value) => value !== null && onChange(setSeeds(study, value))}
      />
      {study.ask.kind === "sweep" && (
        <NumberRow
          field={WITHIN}
          value={within?.percent ?? undefined}
          placeholder="off"
          onCommit={(percent) =>
            onChange(setSweep(study, { within: percent === null ? null : { ...within, percent } }))
          }
        />
      )}
      {study.ask.kind === "sensitivity" && <ScreeningRows {...{ study, suggestions, onChange }} />}
      {table && count !== undefined && (
        <p className="row-note">{seedsText(table.firstSeed, count, what, within?.percent ?? null)}</p>
      )}
      <StudyFault path="seeds" />
      <StudyFault path="ask.within" />
    </Panel>
  );
}

/** How closely all fields are looked at. */
function ScreeningRows({ study, onChange }: EditorProps) {
  const { runs } = useStudy();
  if (study.ask.kind !== "sensitivity") return null;
  const taken = runs.document?.ask.kind === "sensitivity" ? runs.document.ask : undefined;
  return (
    <>
      <NumberRow
        field={{ ...COUNT, title: "Walks through all settings" }}
        value={study.ask.walks ?? taken?.walks}
        onCommit={(walks) => walks !== null && onChange(setScreening(study, { walks }))}
      />
      <NumberRow
        field={{ ...COUNT, title: "Levels of each range" }}
        value={study.ask.levels ?? taken?.levels}
        onCommit={(levels) => levels !== null && onChange(setScreening(study, { levels }))}
      />
      <StudyFault path="ask" />
    </>
  );
}

/** Seeds are added until the interval is no wider, to either side of the mean. */
const WITHIN: Field = {
  title: "Add seeds until within",
  type: "number",
  optional: true,
  live: false,
  unit: "± %",
};

/** What is read from every run. */
function MeasuresPanel({ study, suggestions, onChange }: EditorProps) {
  const { measures } = study;
  const [isWriting, setWriting] = useState(false);
  const left = suggestions.measures.filter(({ value }) =>
    measures.every((measure) => measure.value !== value),
  );
  return (
    <Panel id="measures" title="Measure">
      <ul className="study-measures">
        {measures.map((measure, at) => (
          <li key={`${measure.title} ${measure.value}`}>
            <span title={measure.value}>
              {measure.title}
              {measure.value.includes("{class}") && " by class"}
            </span>
            {measure.unit && <span className="note">{unitName(measure.unit)}</span>}
            <IconButton
              icon="close"
              label={`Measure ${measure.title} no more`}
              onClick={() =>
                onChange(
                  setMeasures(
                    study,
                    measures.filter((_, place) => place !== at),
                  ),
                )
              }
            />
            <StudyFault path={`measures[${at}]`} />
          </li>
        ))}
      </ul>
      <AddSelect
        label="Add a measure"
        options={[
          ...left.map(({ title, value }) => ({
            value,
            title: value.includes("{class}") ? `${title} by class` : title,
          })),
          { value: OWN, title: "Own expression …" },
        ]}
        onAdd={(value) => {
          const added = left.find((measure) => measure.value === value);
          if (added) onChange(setMeasures(study, [...measures, measureOf(added)]));
          else setWriting(true);
        }}
      />
      {isWriting && (
        <OwnMeasure
          onAdd={(measure) => {
            setWriting(false);
            onChange(setMeasures(study, [...measures, measure]));
          }}
          onCancel={() => setWriting(false)}
        />
      )}
      <StudyFault path="measures" exactly />
    </Panel>
  );
}

/** Among the measures: one that is written by hand. */
const OWN = "";

interface OwnMeasureProps {
  readonly onAdd: (measure: StudyMeasureDocument) => void;
  readonly onCancel: () => void;
}

/** A measure as an expression over what a run gives. */
function OwnMeasure({ onAdd, onCancel }: OwnMeasureProps) {
  const id = useId();
  const [title, setTitle] = useState("");
  const [value, setValue] = useState("");
  const isWhole = title.trim() !== "" && value.trim() !== "";
  return (
    <form
      className="study-own-measure"
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole) onAdd({ title: title.trim(), value: value.trim() });
      }}
    >
      <label htmlFor={`${id}-name`}>Name</label>
      <TextField
        id={`${id}-name`}
        value={title}
        maxLength={80}
        onChange={(event) => setTitle(event.target.value)}
      />
      <label htmlFor={`${id}-value`}>Expression</label>
      <TextField
        id={`${id}-value`}
        value={value}
        spellCheck={false}
        maxLength={500}
        onChange={(event) => setValue(event.target.value)}
      />
      <p className="row-note">
        Over the summary of a run, such as <code>classes['High'].latencyUs.p99</code>. With{" "}
        <code>{"{class}"}</code> it is one of every class.
      </p>
      <div className="button-row">
        <Button type="submit" aria-disabled={!isWhole}>
          Add it
        </Button>
        <Button look="link" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

interface AddSelectProps {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly title: string }[];
  readonly onAdd: (value: string) => void;
}

/** A list to add from, which looks like a quiet button. */
function AddSelect({ label, options, onAdd }: AddSelectProps) {
  if (options.length === 0) return null;
  return (
    <div className="study-add">
      <Icon name="plus" />
      <span aria-hidden="true">{label}</span>
      <select aria-label={label} value="-" onChange={(event) => onAdd(event.target.value)}>
        <option value="-" hidden>
          {label}
        </option>
        {options.map(({ value, title }) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </div>
  );
}

/** What the study takes, before anything is run. */
function CostPanel() {
  const { runs } = useStudy();
  const scenario = useScenario();
  return (
    <Panel id="cost" title="Cost">
      <p className="row-note">
        {runs.cost
          ? costText(runs, scenario.durationUs)
          : runs.phase === "refused"
            ? "Not known: the study cannot be run as it is."
            : "Being estimated …"}
      </p>
      <KeptResults />
    </Panel>
  );
}
