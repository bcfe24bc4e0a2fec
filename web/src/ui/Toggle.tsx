import { Switch } from "@base-ui/react/switch";
import { useDisabled } from "./lock.ts";
import "./Toggle.css";

interface ToggleProps {
  readonly id?: string;
  readonly on: boolean;
  /** Kept visible but without effect. */
  readonly disabled?: boolean;
  readonly describedBy?: string;
  readonly onChange: (on: boolean) => void;
}

/** On or off, at once. Its name is a label elsewhere. */
export function Toggle({ id, on, disabled: ineffective = false, describedBy, onChange }: ToggleProps) {
  const { disabled, ...reason } = useDisabled(ineffective);
  return (
    <Switch.Root
      {...(id && { id })}
      className="toggle"
      nativeButton
      render={<button type="button" />}
      checked={on}
      readOnly={disabled}
      aria-disabled={disabled}
      aria-describedby={describedBy}
      {...reason}
      onCheckedChange={onChange}
    >
      <Switch.Thumb />
    </Switch.Root>
  );
}
