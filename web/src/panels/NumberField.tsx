import { type CSSProperties, type KeyboardEvent, useId } from "react";
import { diagnosticOf, spokenName, unitName } from "../scenario/check.ts";
import type { Field } from "../scenario/schema.ts";
import { formatField, type PacketScale, parseNumber, shownUnit, stepped } from "../scenario/units.ts";
import { Icon } from "../ui/Icon.tsx";
import { useDisabled } from "../ui/lock.ts";
import { useDraft } from "./useDraft.ts";
import "./NumberField.css";

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
  readonly disabled?: boolean;
  readonly describedBy?: string | undefined;
  /** What the engine has against the value last tried. */
  readonly refusal?: string | null;
  readonly showUnit?: boolean;
  /** The sentence about a diagnostic goes elsewhere. */
  readonly onFault?: (sentence: string | null) => void;
  /** `choosing`: more values of the same burst of keys may follow. */
  readonly onCommit: (value: number | null, choosing: boolean) => void;
}

/** Signs that a field widens for: more than any value in its unit has. What is typed beyond them scrolls. */
const MAX_SIGNS = 16;

/** A field for a number: takes units, steps with the arrows, keeps the last valid value while what is typed is not. */
export function NumberField(props: NumberFieldProps) {
  const { label, field, value, fallback, scale, refusal = null, showUnit = true, onCommit } = props;
  const { disabled, ...reason } = useDisabled(props.disabled ?? false);
  const diagnosticId = useId();
  const shown = shownUnit(field.unit, value ?? fallback ?? Number(field.default ?? 0));
  const text = value === undefined ? "" : fieldText(value, shown.factor);
  const placeholder =
    props.placeholder ?? (fallback === undefined ? undefined : fieldText(fallback, shown.factor));
  const kept = text || placeholder;
  const keeps = kept ? `The run continues with ${kept}.` : "The field stays empty.";
  const take = (typed: string) => {
    if (typed.trim() === "" && field.optional) {
      if (value !== undefined) onCommit(null, false);
      return null;
    }
    const parsed = parseNumber(typed, field.unit, { shownUnit: shown.unit, scale });
    const next = parsed !== null && field.type === "integer" ? nearInteger(parsed) : parsed;
    const wrong = next === null ? unreadable(field, typed) : diagnosticOf(field, next);
    if (wrong !== null) return `${wrong} ${keeps}`;
    if (next !== null && next !== value) onCommit(next, false);
    return null;
  };
  const { fault, restore, input } = useDraft({ text, take, onFault: props.onFault });
  const sentence = fault ?? refusal;
  const step = (event: KeyboardEvent<HTMLInputElement>) => {
    const steps = (event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 10 : 1);
    const from = value ?? fallback ?? Number.NaN;
    event.preventDefault();
    event.stopPropagation();
    if (disabled || !Number.isFinite(from)) return;
    restore();
    onCommit(stepped(from, steps, field.type === "integer", field.minimum, field.maximum), true);
  };

  return (
    <>
      <span
        className="number-field"
        data-invalid={sentence !== null || undefined}
        data-disabled={disabled || undefined}
      >
        <input
          {...(props.id && { id: props.id })}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
          {...input}
          placeholder={placeholder}
          style={
            { "--signs": Math.min(MAX_SIGNS, (input.value || placeholder || "").length) } as CSSProperties
          }
          aria-label={label}
          aria-invalid={sentence !== null}
          aria-disabled={disabled}
          aria-describedby={
            [sentence !== null ? diagnosticId : null, props.describedBy].filter(Boolean).join(" ") ||
            undefined
          }
          readOnly={disabled}
          {...reason}
          onFocus={(event) => event.currentTarget.select()}
          onKeyDown={(event) => (/^Arrow(Up|Down)$/.test(event.key) ? step(event) : input.onKeyDown(event))}
        />
        {showUnit && <span className="unit">{shown.unit === "" ? "" : unitName(shown.unit)}</span>}
      </span>
      {sentence !== null && (
        <span className="diagnostic" id={diagnosticId} role="alert">
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

/** Letters of what was typed that a sentence repeats. */
const QUOTED = 20;

/** What is wrong with a text that is not a value of a field. */
function unreadable(field: Field, typed: string): string {
  const text = typed.trim();
  if (text === "") return `${spokenName(field)} needs a value.`;
  const quoted = text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text;
  return `${spokenName(field)} needs a number${field.unit ? ` of ${unitName(field.unit)}` : ""}; “${quoted}” is none.`;
}
