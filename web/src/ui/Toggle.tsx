interface ToggleProps {
  readonly id?: string;
  readonly on: boolean;
  /** Kept visible but without effect. */
  readonly inert?: boolean;
  readonly describedBy?: string;
  readonly onChange: (on: boolean) => void;
}

/** On or off, at once. Its name is a label elsewhere. */
export function Toggle({ id, on, inert = false, describedBy, onChange }: ToggleProps) {
  return (
    <button
      type="button"
      role="switch"
      className="toggle"
      {...(id && { id })}
      aria-checked={on}
      aria-disabled={inert}
      aria-describedby={describedBy}
      onClick={() => !inert && onChange(!on)}
    >
      <span />
    </button>
  );
}
