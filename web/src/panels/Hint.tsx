import { useMemo, useRef } from "react";
import { useStore } from "zustand";
import { unitName } from "../scenario/check.ts";
import { type Field, fieldAt } from "../scenario/schema.ts";
import { firstOf, pathsOf, writtenPath } from "../scenario/transports.ts";
import { formatField, shownUnit } from "../scenario/units.ts";
import { Button } from "../ui/Button.tsx";
import { Popover } from "../ui/Popover.tsx";
import { useEffectiveScenario, useExplanation, useSession } from "./context.tsx";
import { hideHint, hintStore } from "./hint.ts";
import "./Hint.css";

/** What a parameter is: explanation, ranges, default, and its name in links and files. */
export function Hint() {
  const { path, anchor, pinned } = useStore(hintStore);
  const anchorRef = useRef<HTMLElement | null>(null);
  anchorRef.current = anchor;
  const shown = useEffectiveScenario();
  const field = useMemo(() => (path === null ? null : fieldAt(firstOf(path), shown)), [path, shown]);
  return (
    <Popover
      open={path !== null}
      onClose={hideHint}
      anchor={anchorRef}
      label={field?.title ?? "Parameter"}
      placement="beside"
      takesFocus={pinned}
      className="hint"
    >
      {path !== null && field && <HintText path={path} field={field} />}
    </Popover>
  );
}

function HintText({ path, field }: { readonly path: string; readonly field: Field }) {
  const session = useSession();
  const shown = useEffectiveScenario();
  const explained = useExplanation().of(pathsOf(path, shown)[0] ?? path);
  const band = explained?.recommended;
  const set = (value: unknown) => {
    session.change(pathsOf(path, shown).map((item) => ({ path: item, value })));
    hideHint();
  };
  const recommended = band && Math.round((band[0] * band[1]) ** 0.5);
  return (
    <>
      <p>{field.description}</p>
      {field.options && (
        <dl>
          {field.options.map((option) => (
            <div key={option.value}>
              <dt>{option.title}</dt>
              <dd>{option.sentence}</dd>
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
        {band && (
          <div>
            <dt>Recommended</dt>
            <dd>
              {band[0]} to {band[1]}, from C·RTT
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
          {recommended !== undefined && <Button onClick={() => set(recommended)}>Use {recommended}</Button>}
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
