import { unitName } from "../scenario/check.ts";
import type { Field } from "../scenario/schema.ts";
import { choiceSentence, sentenceAt, sourceAt } from "../scenario/sentences.ts";
import { firstOf, pathsOf, writtenPath } from "../scenario/transports.ts";
import { formatField, shownUnit } from "../scenario/units.ts";
import { Button } from "../ui/Button.tsx";
import { useEffectiveScenario, useExplanation, useSession } from "./context.tsx";
import { hideHint } from "./hint.ts";

interface HintTextProps {
  readonly path: string;
  readonly field: Field;
}

/** What a field is, what holds of it, and its name in links and files. */
export default function HintText({ path, field }: HintTextProps) {
  const session = useSession();
  const shown = useEffectiveScenario();
  const first = firstOf(path);
  const explanation = useExplanation();
  const source = sourceAt(first, shown);
  const explained = explanation.of(pathsOf(path, shown)[0] ?? path);
  const recommended = explained?.recommended;
  const set = (value: unknown) => {
    session.change(pathsOf(path, shown).map((item) => ({ path: item, value })));
    hideHint();
  };
  return (
    <>
      <p>{sentenceAt(first, shown)}</p>
      {field.options && (
        <dl>
          {field.options.map((option) => (
            <div key={option.value}>
              <dt>{option.title}</dt>
              <dd>{choiceSentence(first, shown, option.value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <dl>
        {rangeText(field) && (
          <div>
            <dt>{field.slider ? "Slider" : "Range"}</dt>
            <dd>{rangeText(field)}</dd>
          </div>
        )}
        {explained?.from && (
          <div>
            <dt>In force</dt>
            <dd>
              {explained.value !== null && `${withUnit(field, explained.value)}: `}
              {explained.from}
            </dd>
          </div>
        )}
        {recommended && (
          <div>
            <dt>Recommended</dt>
            <dd>
              {recommended.value === null
                ? "empty"
                : [...new Set(recommended.band)].map((value) => withUnit(field, value)).join(" to ")}
              , because {recommended.because}
            </dd>
          </div>
        )}
        <div>
          <dt>Default</dt>
          <dd>
            {field.default === undefined
              ? field.optional
                ? "empty"
                : "none"
              : withUnit(field, field.default)}
          </dd>
        </div>
        {source && (
          <div>
            <dt>Source</dt>
            <dd>{source}</dd>
          </div>
        )}
        <div>
          <dt>Changes</dt>
          <dd>{field.live ? "take effect at once, also during a run" : "rerun the scenario"}</dd>
        </div>
        <div>
          <dt>In links, files</dt>
          <dd>
            <code>{writtenPath(path)}</code>
          </dd>
        </div>
      </dl>
      {(recommended !== undefined || field.default !== undefined) && (
        <div className="button-row">
          {recommended && (
            <Button onClick={() => set(recommended.value)}>
              {recommended.value === null ? "Leave empty" : `Use ${recommended.value}`}
            </Button>
          )}
          {field.default !== undefined && <Button onClick={() => set(field.default)}>Reset</Button>}
        </div>
      )}
    </>
  );
}

function withUnit(field: Field, value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value !== "number") {
    return field.options?.find((option) => option.value === value)?.title ?? String(value);
  }
  const shown = shownUnit(field.unit, value);
  return `${formatField(value / shown.factor)} ${unitName(shown.unit)}`.trim();
}

function rangeText(field: Field): string | null {
  const { slider, minimum, maximum } = field;
  if (minimum === undefined || maximum === undefined) return null;
  const typed = `${withUnit(field, minimum)} to ${withUnit(field, maximum)}`;
  if (!slider) return typed;
  const low = shownUnit(field.unit, slider.low);
  const sameUnit = low.unit === shownUnit(field.unit, slider.high).unit;
  const from = sameUnit ? formatField(slider.low / low.factor) : withUnit(field, slider.low);
  return `${from} to ${withUnit(field, slider.high)}; typed values ${typed}`;
}
