import { type ReactNode, type PointerEvent as ReactPointerEvent, useId, useRef } from "react";
import { diagnosticSentence, spokenName } from "../scenario/check.ts";
import { emptyValue, noEffectOf } from "../scenario/explanation.ts";
import { getPath } from "../scenario/path.ts";
import { type Field, fieldAt } from "../scenario/schema.ts";
import { pathsOf } from "../scenario/transports.ts";
import { formatField, stepped } from "../scenario/units.ts";
import { HINT_DELAY_MS } from "../ui/Explained.tsx";
import { useLock } from "../ui/lock.ts";
import { MathSymbol } from "../ui/MathSymbol.tsx";
import { Select } from "../ui/Select.tsx";
import { Slider } from "../ui/Slider.tsx";
import { Toggle } from "../ui/Toggle.tsx";
import { valueText } from "./changeText.ts";
import {
  packetScale,
  useEffectiveScenario,
  useExplanation,
  useRun,
  useScenario,
  useSession,
} from "./context.tsx";
import { hideHint, hintStore, showHint } from "./hint.ts";
import { NumberField } from "./NumberField.tsx";
import { FieldLock } from "./Settings.tsx";
import { rememberTouched } from "./touched.ts";
import "./ParameterRow.css";

export interface ParameterRowProps {
  /** A field of the scenario; `transport.x` stands for the field x of every class that uses it. */
  readonly path: string;
  /** Instead of the schema's title. */
  readonly title?: string;
  /** Instead of the title and its symbol, where words are not enough. */
  readonly label?: ReactNode;
  readonly slider?: boolean;
  /** Narrower than what the schema allows. */
  readonly bounds?: { readonly min?: number; readonly max?: number };
  readonly band?: { readonly low: number; readonly high: number } | null;
  readonly children?: ReactNode;
}

/**
 * A row of the settings, made from the engine's catalogue: label, symbol, control, unit; below it what the engine says of the
 * field in this scenario. An empty field shows what holds.
 */
export function ParameterRow(props: ParameterRowProps) {
  const paths = pathsOf(props.path, useEffectiveScenario());
  return (
    <FieldLock paths={paths}>
      <Row {...props} />
    </FieldLock>
  );
}

function Row({ path, title, label: written, slider = false, bounds, band, children }: ParameterRowProps) {
  const session = useSession();
  const shown = useEffectiveScenario();
  const id = useId();
  const label = useRef<HTMLLabelElement>(null);
  const paths = pathsOf(path, shown);
  const field = within(fieldAt(paths[0] ?? path, shown), bounds);
  const values = paths.map((item) => getPath(shown, item) ?? field.default);
  const value = values.every((item) => item === values[0]) ? values[0] : undefined;
  const mixed = value === undefined && values.length > 1;
  const explanation = useExplanation();
  const noEffect = noEffectOf(explanation, paths);
  const locked = useLock() !== null;
  const empty = field.optional ? emptyValue(explanation, paths) : undefined;
  const refusal = useRun((run) => run.diagnostics.find((diagnostic) => paths.includes(diagnostic.path)));
  const name = title ?? field.title;
  const change = (next: unknown, choosing: boolean) => {
    rememberTouched(path);
    session.change(
      paths.map((item) => ({ path: item, value: next })),
      choosing,
    );
  };
  const scrub = useScrub(
    field,
    typeof value === "number" ? value : undefined,
    locked || noEffect !== null,
    (next) => change(next, true),
  );
  const pin = () => label.current && showHint(path, label.current, true);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key is that of the control inside
    <div
      className="row"
      data-no-effect={noEffect !== null || undefined}
      data-path={path}
      onKeyDown={(event) => {
        if (event.key !== "?") return;
        event.preventDefault();
        event.stopPropagation();
        pin();
      }}
    >
      <div className="row-main">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: a finger asks for the hint here, the keyboard by ? */}
        <label
          ref={label}
          htmlFor={id}
          className="row-label"
          {...scrub}
          {...hoverHint(path)}
          onClick={(event) => {
            scrub.onClick?.(event);
            if ((event.nativeEvent as PointerEvent).pointerType !== "touch") return;
            event.preventDefault();
            pin();
          }}
        >
          {written ?? (
            <>
              <span>{name}</span>
              {field.symbol && <MathSymbol>{field.symbol}</MathSymbol>}
            </>
          )}
        </label>
        <Control
          id={id}
          name={name}
          field={field}
          value={value}
          placeholder={mixed ? "differ" : empty === null ? "none" : undefined}
          fallback={mixed || empty === null ? undefined : empty}
          disabled={noEffect !== null}
          refusal={refusal ? diagnosticSentence(spokenName({ ...field, title: name }), refusal) : null}
          scale={packetScale(shown)}
          onChange={change}
        />
      </div>
      {slider && field.slider && typeof value === "number" && (
        <Slider
          label={`${name}, slider`}
          scale={field.slider}
          value={value}
          valueText={`${formatField(value)} ${field.unit ?? ""}`}
          disabled={noEffect !== null}
          ticks
          {...(band !== undefined && { band })}
          round={(next) => rounded(field, next)}
          step={(from, steps) => stepped(from, steps, field.type === "integer", field.minimum, field.maximum)}
          onChange={(next) => change(next, true)}
        />
      )}
      {children}
      {noEffect && (
        <p className="row-note">
          {noEffect.movesTarget ? "No effect on the run, but on what it is measured by" : "No effect"}:{" "}
          {noEffect.reason}.{" "}
          {noEffect.remedy && !locked && (
            <button
              type="button"
              className="link"
              onClick={() =>
                noEffect.remedy &&
                session.change([{ path: noEffect.remedy.path, value: noEffect.remedy.value }])
              }
            >
              {noEffect.remedy.label}
            </button>
          )}
        </p>
      )}
      <Recorded paths={paths} field={field} />
    </div>
  );
}

/** A field as it is where its values, and the ends of its slider, lie within narrower bounds. */
function within(field: Field, bounds: ParameterRowProps["bounds"]): Field {
  if (!bounds) return field;
  const { slider } = field;
  const { min = field.minimum, max = field.maximum } = bounds;
  const low = bounds.min ?? slider?.low;
  const high = bounds.max ?? slider?.high;
  const scale = slider?.scale ?? "linear";
  return {
    ...field,
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
    ...(low !== undefined &&
      high !== undefined && { slider: { low, high, scale: low > 0 ? scale : "linear" } }),
  };
}

interface ControlProps {
  readonly id: string;
  readonly name: string;
  readonly field: Field;
  readonly value: unknown;
  readonly placeholder: string | undefined;
  readonly fallback: unknown;
  readonly disabled: boolean;
  readonly refusal: string | null;
  readonly scale: { readonly packetBytes: number; readonly linkGbps: number };
  readonly onChange: (value: unknown, choosing: boolean) => void;
}

function Control(props: ControlProps) {
  const { id, name, field, value, placeholder, fallback, disabled, refusal, scale, onChange } = props;
  if (field.type === "boolean" && !field.optional && value !== undefined) {
    return <Toggle id={id} on={value === true} disabled={disabled} onChange={(on) => onChange(on, false)} />;
  }
  if (field.type === "boolean") {
    const empty = placeholder ?? (fallback === undefined ? "" : `${fallback ? "on" : "off"}, while empty`);
    return (
      <Select
        id={id}
        value={String(value ?? "")}
        disabled={disabled}
        options={[
          ...(field.optional || value === undefined ? [{ value: "", title: empty }] : []),
          { value: "true", title: "On" },
          { value: "false", title: "Off" },
        ]}
        onChange={(next) => onChange(next === "" ? null : next === "true", false)}
      />
    );
  }
  if (field.options) {
    const fits = field.options.find((option) => option.value === fallback)?.title;
    const empty = placeholder ?? (fits === undefined ? "" : `${fits}, while empty`);
    return (
      <Select
        id={id}
        value={String(value ?? "")}
        disabled={disabled}
        options={[
          ...(field.optional || value === undefined ? [{ value: "", title: empty }] : []),
          ...field.options,
        ]}
        onChange={(next) => onChange(next === "" ? null : next, false)}
      />
    );
  }
  return (
    <NumberField
      id={id}
      label={name}
      field={field}
      value={typeof value === "number" ? value : undefined}
      placeholder={placeholder}
      fallback={typeof fallback === "number" ? fallback : undefined}
      scale={scale}
      disabled={disabled}
      refusal={refusal}
      onCommit={onChange}
    />
  );
}

/** Says when a recorded change will set a field to something else later in the run. */
function Recorded({ paths, field }: { readonly paths: readonly string[]; readonly field: Field }) {
  const inForce = useRun((run) => run.changesInForce);
  const scenario = useScenario();
  const next = (scenario.timeline ?? []).slice(inForce).find((change) => paths.includes(change.path));
  if (!next) return null;
  return (
    <p className="row-note">
      Recorded: becomes {valueText(field, next.value)} at {(next.atUs / 1000).toFixed(3)} ms.
    </p>
  );
}

/** A value of the slider as the field takes it: whole, or with three significant digits. */
export function rounded(field: Field, value: number): number {
  return field.type === "integer" ? Math.round(value) : Number(value.toPrecision(value < 1 ? 2 : 3));
}

/** Dragging a label scrubs its value: four pixels are one natural step. */
function useScrub(
  field: Field,
  value: number | undefined,
  disabled: boolean,
  change: (value: number) => void,
) {
  const drag = useRef<{ x: number; from: number; moved: boolean } | null>(null);
  if (field.options || field.type === "boolean") return {};
  return {
    onPointerDown(event: ReactPointerEvent<HTMLElement>) {
      if (value === undefined || disabled || event.pointerType === "touch") return;
      drag.current = { x: event.clientX, from: value, moved: false };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: ReactPointerEvent<HTMLElement>) {
      const start = drag.current;
      if (!start) return;
      const steps = Math.trunc((event.clientX - start.x) / 4);
      if (steps === 0 && !start.moved) return;
      start.moved = true;
      hideHint();
      change(stepped(start.from, steps, field.type === "integer", field.minimum, field.maximum));
    },
    onPointerUp() {
      drag.current = null;
    },
    onClick(event: { preventDefault(): void }) {
      if (drag.current?.moved) event.preventDefault();
    },
  };
}

let rest: ReturnType<typeof setTimeout> | undefined;

/** Opens the hint of a field when the pointer rests on its label. */
export function hoverHint(path: string) {
  return {
    onPointerEnter(event: ReactPointerEvent<HTMLElement>) {
      const anchor = event.currentTarget;
      clearTimeout(rest);
      if (event.pointerType !== "mouse") return;
      rest = setTimeout(() => showHint(path, anchor, false), HINT_DELAY_MS);
    },
    onPointerLeave({ pointerType }: ReactPointerEvent<HTMLElement>) {
      clearTimeout(rest);
      if (pointerType !== "mouse") return;
      const { pinned } = hintStore.getState();
      if (!pinned) rest = setTimeout(closeUnlessInside, 200);
    },
  };
}

function closeUnlessInside(): void {
  if (!document.querySelector(".hint:hover")) hideHint();
  else rest = setTimeout(closeUnlessInside, 300);
}
