import { type KeyboardEvent, useId, useRef, useState } from "react";
import { faultOf, unitName } from "../scenario/check.ts";
import type { Field } from "../scenario/schema.ts";
import { formatField, type PacketScale, parseNumber, shownUnit, stepped } from "../scenario/units.ts";
import { Icon } from "../ui/Icon.tsx";
import { newGesture } from "../ui/Slider.tsx";

interface NumberFieldProps {
  readonly id?: string;
  readonly label: string;
  readonly field: Field;
  /** Undefined: left empty. */
  readonly value: number | undefined;
  /** Stands in an empty field, in words. */
  readonly placeholder?: string | undefined;
  /** What holds while the field is empty: stands in it, and steps begin there. */
  readonly fallback?: number | undefined;
  readonly scale?: PacketScale;
  readonly inert?: boolean;
  readonly describedBy?: string | undefined;
  /** What the engine has against the value last tried. */
  readonly refusal?: string | null;
  readonly showUnit?: boolean;
  /** The sentence about a fault goes elsewhere. */
  readonly onFault?: (sentence: string | null) => void;
  readonly onCommit: (value: number | null, gesture: string | null) => void;
  readonly onHint?: () => void;
}

/** A field for a number: takes units, steps with the arrows, keeps the last valid value while what is typed is not. */
export function NumberField(props: NumberFieldProps) {
  const {
    label,
    field,
    value,
    fallback,
    scale,
    inert = false,
    refusal = null,
    showUnit = true,
    onCommit,
  } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const gesture = useRef("");
  const faultId = useId();
  const shown = shownUnit(field.unit, value ?? fallback ?? Number(field.default ?? 0));
  const text = value === undefined ? "" : fieldText(value, shown.factor);
  const placeholder =
    props.placeholder ?? (fallback === undefined ? undefined : fieldText(fallback, shown.factor));
  const sentence = fault ?? refusal;

  const report = (next: string | null) => {
    setFault(next);
    props.onFault?.(next);
  };
  const goesOn = () => `The run goes on with ${text || placeholder || "none"}.`;
  const commit = (typed: string, merge: string | null) => {
    if (typed.trim() === "" && field.optional) {
      report(null);
      setDraft(null);
      if (value !== undefined) onCommit(null, merge);
      return;
    }
    const parsed = parseNumber(typed, field.unit, { shownUnit: shown.unit, scale });
    const next = parsed !== null && field.type === "integer" ? nearInteger(parsed) : parsed;
    const wrong =
      next === null ? `“${typed.trim()}” is not a number of ${unitWords(field)}.` : faultOf(field, next);
    if (wrong !== null) {
      report(`${wrong} ${goesOn()}`);
      setDraft(typed);
      return;
    }
    report(null);
    setDraft(null);
    if (next !== null && next !== value) onCommit(next, merge);
  };
  const restore = () => {
    setDraft(null);
    report(null);
  };
  const key = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") commit(event.currentTarget.value, null);
    else if (event.key === "Escape" && (draft !== null || fault !== null)) restore();
    else if (event.key === "?" && props.onHint) props.onHint();
    else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      const steps = (event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 10 : 1);
      const from = value ?? fallback ?? Number.NaN;
      if (!inert && Number.isFinite(from)) {
        const { minimum, maximum } = field;
        restore();
        onCommit(stepped(from, steps, field.type === "integer", minimum, maximum), gesture.current);
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      <span
        className="number-field"
        data-invalid={sentence !== null || undefined}
        data-inert={inert || undefined}
      >
        <input
          {...(props.id && { id: props.id })}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
          value={draft ?? text}
          placeholder={placeholder}
          aria-label={label}
          aria-invalid={sentence !== null}
          aria-disabled={inert}
          aria-describedby={
            [sentence !== null ? faultId : null, props.describedBy].filter(Boolean).join(" ") || undefined
          }
          readOnly={inert}
          onFocus={(event) => {
            gesture.current = newGesture(label);
            event.currentTarget.select();
          }}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={(event) => {
            if (draft !== null && fault === null) commit(event.currentTarget.value, null);
          }}
          onKeyDown={key}
        />
        {showUnit && <span className="unit">{shown.unit === "" ? "" : unitName(shown.unit)}</span>}
      </span>
      {sentence !== null && (
        <span className="fault" id={faultId} role="alert">
          <Icon name="warning" size={13} /> {sentence}
        </span>
      )}
    </>
  );
}

/** A value in the unit shown. A converted one may have more digits than the field has room for. */
const fieldText = (value: number, factor: number): string =>
  formatField(factor === 1 ? value : Number((value / factor).toPrecision(5)));

/** Converted values ("16.8 us" of packets) need not be exact to mean a whole number. */
function nearInteger(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - whole) < 1e-6 * Math.max(1, whole) || !Number.isInteger(value * 1000)
    ? whole
    : value;
}

const unitWords = (field: Field): string => (field.unit ? unitName(field.unit) : field.title.toLowerCase());
