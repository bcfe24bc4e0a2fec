import { Fragment, useId } from "react";
import { useScenario, useSession } from "../../panels/context.tsx";
import { NumberField } from "../../panels/NumberField.tsx";
import type { StudyDocument, Suggestions } from "../../scenario/study.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Select } from "../../ui/Select.tsx";
import {
  addPreference,
  addTarget,
  type Bounded,
  boundedOf,
  MOST_PREFERENCES,
  measureChoices,
  type Now,
  nowOf,
  partsOf,
  preferables,
  removePreference,
  removeTarget,
  type SearchAsk,
  searchOf,
  setBounded,
  setPreference,
  setTarget,
  setTargetMeasure,
} from "../../workbench/study/targets.ts";
import { useStudy } from "../../workbench/study/useStudy.tsx";
import { StudyFault } from "./StudyFault.tsx";
import "./TargetsEditor.css";

interface TargetsEditorProps {
  readonly study: StudyDocument;
  readonly onChange: (study: StudyDocument) => void;
}

/** What a search is to keep, and what it is to make least or most: sentences with fields in them. */
export function TargetsEditor({ study, onChange }: TargetsEditorProps) {
  const { suggestions, runs } = useStudy();
  const classes = useScenario().classes.map(({ name }) => name);
  const ask = searchOf(study);
  if (ask === null || suggestions === null) return null;
  const inForce = runs.document ? searchOf(runs.document) : null;
  return (
    <>
      <Targets {...{ study, ask, inForce, suggestions, classes, onChange }} />
      <Preferences {...{ study, ask, suggestions, classes, onChange }} />
    </>
  );
}

/** What measures are with the settings as they are, at the moment at which that is asked. */
function useNow(study: StudyDocument): () => Now {
  const { runs } = useStudy();
  const session = useSession();
  return () => nowOf(study, runs.table, session.run.getState().view);
}

interface PartProps {
  readonly study: StudyDocument;
  readonly ask: SearchAsk;
  readonly suggestions: Suggestions;
  readonly classes: readonly string[];
  readonly onChange: (study: StudyDocument) => void;
}

function Targets(props: PartProps & { readonly inForce: SearchAsk | null }) {
  const { study, ask, suggestions, classes, onChange } = props;
  const now = useNow(study);
  const title = useId();
  return (
    <section className="panel targets" aria-labelledby={title}>
      <header>
        <h2 id={title}>Targets</h2>
      </header>
      <ol>
        {ask.targets.map((target, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a target is its place
          <li key={at}>
            <TargetFields {...props} at={at} />
            {ask.targets.length > 1 && (
              <IconButton
                icon="close"
                label={`Remove the target for ${target.measure}`}
                onClick={() => onChange(removeTarget(study, at))}
              />
            )}
          </li>
        ))}
      </ol>
      <StudyFault path="ask.targets" exactly />
      <Button
        look="quiet"
        icon="plus"
        onClick={() => onChange(addTarget(study, suggestions, classes, now()))}
      >
        Add a target
      </Button>
    </section>
  );
}

/** "p99 latency of High at most 300 µs in 95 % of seeds" */
function TargetFields({
  study,
  ask,
  inForce,
  suggestions,
  classes,
  onChange,
  at,
}: PartProps & { readonly inForce: SearchAsk | null; readonly at: number }) {
  const now = useNow(study);
  const target = ask.targets[at];
  if (!target) return null;
  const choices = measureChoices(study, suggestions);
  const { choice, name } = partsOf(target.measure, choices);
  const bounded = boundedOf(target);
  const confidence = target.confidence ?? inForce?.targets[at]?.confidence;
  const label = `Target ${at + 1}`;
  return (
    <div className="said">
      <Select
        aria-label={`${label}: measure`}
        value={choice?.group ?? target.measure}
        options={[
          ...(choice ? [] : [{ value: target.measure, title: target.measure }]),
          ...choices.map(({ group }) => ({ value: group, title: group })),
        ]}
        onChange={(group) => {
          const next = choices.find((item) => item.group === group);
          const first = next?.isOfEachClass ? (name ?? classes[0] ?? null) : null;
          onChange(setTargetMeasure(study, at, group, first, suggestions, now()));
        }}
      />{" "}
      {choice?.isOfEachClass && (
        <>
          of{" "}
          <Select
            aria-label={`${label}: class`}
            value={name ?? ""}
            options={[...new Set([...classes, ...(name ? [name] : [])])].map((value) => ({
              value,
              title: value,
            }))}
            onChange={(next) => onChange(setTargetMeasure(study, at, choice.group, next, suggestions, now()))}
          />{" "}
        </>
      )}
      <Select
        aria-label={`${label}: way`}
        value={bounded}
        options={WAYS}
        onChange={(way) => onChange(setBounded(study, at, way as Bounded))}
      />{" "}
      {ENDS[bounded].map((end, place) => (
        <Fragment key={end}>
          {place > 0 && "and "}
          <NumberField
            label={`${label}: ${end === "atMost" ? "at most" : "at least"}`}
            field={numberField(target.measure, choice?.unit ?? null)}
            value={target[end] ?? undefined}
            onCommit={(value) => onChange(setTarget(study, at, { [end]: value }))}
          />{" "}
        </Fragment>
      ))}
      in{" "}
      <NumberField
        label={`${label}: share of seeds`}
        field={numberField("Share of seeds", "%")}
        value={confidence === undefined ? undefined : Number((100 * confidence).toPrecision(4))}
        onCommit={(percent) =>
          percent !== null && onChange(setTarget(study, at, { confidence: percent / 100 }))
        }
      />{" "}
      of seeds
      <StudyFault path={`ask.targets[${at}]`} />
    </div>
  );
}

const WAYS: readonly { readonly value: Bounded; readonly title: string }[] = [
  { value: "atMost", title: "at most" },
  { value: "atLeast", title: "at least" },
  { value: "between", title: "between" },
];

/** The bounds of a target, in the order of its sentence. */
const ENDS: Readonly<Record<Bounded, readonly ("atMost" | "atLeast")[]>> = {
  atMost: ["atMost"],
  atLeast: ["atLeast"],
  between: ["atLeast", "atMost"],
};

/** A number that no catalogue lists, as a field takes it. */
const numberField = (title: string, unit: string | null) => ({
  title,
  type: "number" as const,
  optional: false,
  live: false,
  ...(unit !== null && { unit }),
});

/** "with K as small as possible" */
function Preferences({ study, ask, suggestions, classes, onChange }: PartProps) {
  const title = useId();
  const all = preferables(study, suggestions, classes);
  return (
    <section className="panel targets" aria-labelledby={title}>
      <header>
        <h2 id={title}>Preferred</h2>
      </header>
      <ol>
        {ask.prefer.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a preference is its place
          <li key={at}>
            <div className="said">
              {at === 0 ? "with" : "and"}{" "}
              <Select
                aria-label={`Preference ${at + 1}: of`}
                value={item.of}
                options={[
                  ...(all.some(({ of }) => of === item.of) ? [] : [{ value: item.of, title: item.of }]),
                  ...all.map((other) => ({ value: other.of, title: other.title })),
                ]}
                onChange={(of) => onChange(setPreference(study, at, { of }, suggestions))}
              />{" "}
              as{" "}
              <Select
                aria-label={`Preference ${at + 1}: way`}
                value={item.wanted}
                options={[
                  { value: "min", title: "small" },
                  { value: "max", title: "large" },
                ]}
                onChange={(wanted) =>
                  onChange(
                    setPreference(study, at, { wanted: wanted === "max" ? "max" : "min" }, suggestions),
                  )
                }
              />{" "}
              as possible
            </div>
            {ask.prefer.length > 1 && (
              <IconButton
                icon="close"
                label={`Do not prefer ${all.find(({ of }) => of === item.of)?.title ?? item.of}`}
                onClick={() => onChange(removePreference(study, at))}
              />
            )}
          </li>
        ))}
      </ol>
      <StudyFault path="ask.prefer" />
      {ask.prefer.length < MOST_PREFERENCES && (
        <Button look="quiet" icon="plus" onClick={() => onChange(addPreference(study, suggestions, classes))}>
          {ask.prefer.length === 0 ? "Prefer something" : "Trade off against another"}
        </Button>
      )}
    </section>
  );
}
