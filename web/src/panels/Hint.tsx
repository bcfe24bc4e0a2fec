import { useMemo, useRef } from "react";
import { useStore } from "zustand";
import { unitName } from "../scenario/check.ts";
import { recommendedThreshold } from "../scenario/recommend.ts";
import { type Field, fieldAt } from "../scenario/schema.ts";
import { firstOf, pathsOf, writtenPath } from "../scenario/transports.ts";
import { formatField, shownUnit } from "../scenario/units.ts";
import { Button } from "../ui/Button.tsx";
import { Popover } from "../ui/Popover.tsx";
import { packetScale, useEffectiveScenario, useRun, useSession } from "./context.tsx";
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
  const baseRttUs = useRun((run) => run.view?.layout.baseRttUs ?? 0);
  const band =
    path === "switch.ecnThresholdPackets" && baseRttUs > 0
      ? recommendedThreshold(baseRttUs, packetScale(shown))
      : null;
  const set = (value: unknown) => {
    session.change(pathsOf(path, shown).map((item) => ({ path: item, value })));
    hideHint();
  };
  const recommended = band && Math.round((band.low * band.high) ** 0.5);
  return (
    <>
      <p>{field.description}</p>
      {field.options && (
        <dl>
          {field.options.map((option) => (
            <div key={option.value}>
              <dt>{option.title}</dt>
              <dd>{option.description}</dd>
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
        {band && (
          <div>
            <dt>Recommended</dt>
            <dd>
              {band.low} to {band.high}, from C·RTT at {formatField(packetScale(shown).linkGbps)} Gb/s,{" "}
              {formatField(baseRttUs)} µs
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
      {(recommended !== null || field.default !== undefined) && (
        <div className="button-row">
          {recommended !== null && <Button onClick={() => set(recommended)}>Use {recommended}</Button>}
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
