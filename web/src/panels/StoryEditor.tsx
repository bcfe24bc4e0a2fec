import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { useStore } from "zustand";
import { choiceOf, shownBy } from "../charts/registry.ts";
import { type ClaimMetric, claimsOf } from "../run/claims.ts";
import { getPath, setPath } from "../scenario/path.ts";
import { fieldAt } from "../scenario/schema.ts";
import { originOf } from "../scenario/store.ts";
import { changesSince, type Story, withoutStory, withStory } from "../scenario/story.ts";
import { Button, IconButton } from "../ui/Button.tsx";
import { Select } from "../ui/Select.tsx";
import { TextField } from "../ui/TextField.tsx";
import { describeChanges } from "./changeText.ts";
import { figureText } from "./claimText.ts";
import { useEffectiveScenario, useRun, useScenario, useSession } from "./context.tsx";
import { Fault, faultOf, useRefusal } from "./Fault.tsx";
import { NumberField } from "./NumberField.tsx";
import "./StoryEditor.css";

interface StoryEditorProps {
  /** What the stacked charts show now, by the names that links have of it. */
  readonly charts: readonly string[];
}

/** The story of a scenario, written where it is shown: every part acts when its field is left, and can be undone. */
export default function StoryEditor({ charts }: StoryEditorProps) {
  const session = useSession();
  const { story } = useScenario();
  return (
    <div className="story-editor">
      <Words path="name" />
      <Words path="description" rows={2} />
      <Words path="story.text" title="Story" rows={6} />
      {story ? (
        <>
          <Charts story={story} present={charts} />
          <Claims story={story} />
          <Tries story={story} />
          <Button icon="trash" onClick={() => session.edit(withoutStory(session.scenario))}>
            Delete the story
          </Button>
        </>
      ) : (
        <p className="row-note">Charts, claims and tries can be added once the story has a text.</p>
      )}
    </div>
  );
}

interface WordsProps {
  readonly path: string;
  /** Instead of that of the field. */
  readonly title?: string;
  /** Lines that are seen at once; one by default. */
  readonly rows?: number;
}

/**
 * A text of the scenario. It is taken when the field is left, or with Enter where it has one line; Esc restores it. What the
 * engine refuses stays to be mended.
 */
function Words({ path, title, rows = 1 }: WordsProps) {
  const session = useSession();
  const scenario = useScenario();
  const id = useId();
  const field = fieldAt(path, scenario);
  const name = title ?? field.title;
  const refusal = useRefusal(path, name);
  const [typed, setTyped] = useState<string | null>(null);
  const [hasFocus, setFocus] = useState(false);
  const value = String(getPath(scenario, path) ?? "");
  const take = () => {
    if (typed === null || typed === value) return;
    session.edit(setPath(session.scenario, path, typed));
  };
  const key = (event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    if (event.key === "Enter" && (rows === 1 || event.ctrlKey || event.metaKey)) take();
    else if (event.key === "Escape" && typed !== null && typed !== value) setTyped(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const input = {
    id,
    maxLength: field.longest,
    value: hasFocus || refusal !== null ? (typed ?? value) : value,
    onFocus: () => {
      setFocus(true);
      if (refusal === null) setTyped(null);
    },
    onBlur: () => {
      setFocus(false);
      take();
    },
    onKeyDown: key,
    ...faultOf(`${id}-fault`, refusal),
  };
  return (
    <div className="story-words" data-path={path}>
      <label htmlFor={id}>{name}</label>
      {rows === 1 ? (
        <TextField {...input} onChange={(event) => setTyped(event.target.value)} />
      ) : (
        <textarea
          {...input}
          className="text-area"
          rows={rows}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <Fault id={`${id}-fault`} sentence={refusal} />
    </div>
  );
}

interface PartProps {
  readonly story: Story;
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset className="story-part">
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

function Charts({ story, present }: PartProps & { readonly present: readonly string[] }) {
  const session = useSession();
  const { charts = [] } = story;
  const title = (text: string) => {
    const choice = choiceOf(text);
    return (choice && shownBy(choice.subject)?.subject.title) ?? text;
  };
  const refusal = useRefusal("story.charts", "Charts");
  const take = (next: readonly string[]) =>
    session.edit(withStory(session.scenario, { charts: next as unknown as NonNullable<Story["charts"]> }));
  return (
    <Part title="Charts">
      <p>{charts.length > 0 ? charts.map(title).join(", ") : "The usual ones"}</p>
      <Fault id="story-charts-fault" sentence={refusal} />
      <div className="button-row">
        <Button onClick={() => take(present)}>Take the charts shown now</Button>
        {charts.length > 0 && <Button onClick={() => take([])}>The usual ones</Button>}
      </div>
    </Part>
  );
}

type ClaimOfStory = NonNullable<Story["claims"]>[number];

function Claims({ story }: PartProps) {
  const session = useSession();
  const scenario = useScenario();
  const claims = (story.claims ?? []) as readonly ClaimOfStory[];
  const { options = [] } = fieldAt("story.claims[0].metric", scenario);
  const { longest = 0 } = fieldAt("story.claims", scenario);
  const take = (next: readonly ClaimOfStory[]) =>
    session.edit(withStory(session.scenario, { claims: next as unknown as NonNullable<Story["claims"]> }));
  const add = () => take([...claims, { metric: options[0]?.value as ClaimMetric }]);
  return (
    <Part title="Claims">
      <p className="row-note">What is to come true in the run. An empty bound is none.</p>
      {claims.map((claim, i) => (
        <ClaimRow
          // biome-ignore lint/suspicious/noArrayIndexKey: claims stand in their order
          key={i}
          index={i}
          claim={claim}
          onChange={(next) => take(claims.map((other, at) => (at === i ? next : other)))}
          onDelete={() => take(claims.filter((_, at) => at !== i))}
        />
      ))}
      {claims.length < longest && (
        <Button icon="plus" onClick={add}>
          Add a claim
        </Button>
      )}
    </Part>
  );
}

interface ClaimRowProps {
  readonly index: number;
  readonly claim: ClaimOfStory;
  readonly onChange: (claim: ClaimOfStory) => void;
  readonly onDelete: () => void;
}

const ALL = "";

function ClaimRow({ index, claim, onChange, onDelete }: ClaimRowProps) {
  const scenario = useScenario();
  const view = useRun((run) => run.view);
  useRun((run) => run.tick);
  const path = `story.claims[${index}]`;
  const number = index + 1;
  const { options = [] } = fieldAt(`${path}.metric`, scenario);
  const value = view ? claimsOf(view, [claim])[0]?.value : undefined;
  const refusal = useRefusal(path, `Claim ${number}`);
  const bound = (name: "min" | "max") => {
    const field = fieldAt(`${path}.${name}`, scenario);
    return (
      <div className="row-main">
        <span className="row-label">{field.title}</span>
        <NumberField
          label={`Claim ${number}, ${field.title.toLowerCase()}`}
          field={field}
          value={claim[name] ?? undefined}
          placeholder="any"
          showUnit={false}
          onCommit={(next) => {
            const { [name]: _, ...rest } = claim;
            onChange(next === null ? rest : { ...rest, [name]: next });
          }}
        />
      </div>
    );
  };
  return (
    <div className="story-item">
      <div className="row-main">
        <Select
          aria-label={`Claim ${number}, metric`}
          value={claim.metric}
          options={options}
          onChange={(metric) => onChange({ ...claim, metric: metric as ClaimMetric })}
        />
        <Select
          aria-label={`Claim ${number}, class`}
          value={claim.class ?? ALL}
          options={[
            { value: ALL, title: "all classes" },
            ...scenario.classes.map(({ name }) => ({ value: name, title: name })),
          ]}
          onChange={(name) => {
            const { class: _, ...rest } = claim;
            onChange(name === ALL ? rest : { ...rest, class: name });
          }}
        />
        <IconButton icon="trash" label={`Delete claim ${number}`} onClick={onDelete} />
      </div>
      {bound("min")}
      {bound("max")}
      <p className="row-note">
        {value === undefined || !Number.isFinite(value)
          ? "Nothing to tell from yet."
          : `Now ${Number(value.toPrecision(4))}, shown as ${figureText(claim.metric, value)}.`}
      </p>
      <Fault id={`claim-${index}-fault`} sentence={refusal} />
    </div>
  );
}

type TriesOfStory = NonNullable<Story["tries"]>;

function Tries({ story }: PartProps) {
  const session = useSession();
  const scenario = useScenario();
  const shown = useEffectiveScenario();
  const origin = useStore(session.store, originOf);
  const tries = (story.tries ?? []) as readonly TriesOfStory[number][];
  const { longest = 0 } = fieldAt("story.tries", scenario);
  const labelled = fieldAt("story.tries[0].label", scenario).longest ?? 80;
  const changes = changesSince(origin, shown);
  const differs = changes.length > 0;
  const take = (next: readonly TriesOfStory[number][]) =>
    session.edit(withStory(session.scenario, { tries: next as unknown as TriesOfStory }));
  const refusal = useRefusal("story.tries", "Tries");
  return (
    <Part title="Tries">
      <p className="row-note">
        {differs
          ? `Differs now from the scenario as it was opened: ${describeChanges(shown, changes)}.`
          : "Change something in the settings: what differs then can be offered as a try."}
      </p>
      {tries.map((item, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tries stand in their order
        <div className="story-item" key={i}>
          <Words path={`story.tries[${i}].label`} title={`Try ${i + 1}, label`} />
          <p className="row-note">{describeChanges(shown, item.changes)}</p>
          <div className="button-row">
            {differs && (
              <Button
                onClick={() => take(tries.map((other, at) => (at === i ? { ...other, changes } : other)))}
              >
                Take what differs now
              </Button>
            )}
            <IconButton
              icon="trash"
              label={`Delete try ${i + 1}`}
              onClick={() => take(tries.filter((_, at) => at !== i))}
            />
          </div>
        </div>
      ))}
      <Fault id="story-tries-fault" sentence={refusal} />
      {differs && tries.length < longest && (
        <Button
          icon="plus"
          onClick={() =>
            take([...tries, { label: describeChanges(shown, changes).slice(0, labelled), changes }])
          }
        >
          Add what differs now as a try
        </Button>
      )}
    </Part>
  );
}
