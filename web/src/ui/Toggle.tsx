import { Switch } from "@base-ui/react/switch";
import { useInert } from "./lock.ts";
import "./Toggle.css";

interface ToggleProps {
  readonly id?: string;
  readonly on: boolean;
  /** Kept visible but without effect. */
  readonly inert?: boolean;
  readonly describedBy?: string;
  readonly onChange: (on: boolean) => void;
}

/** On or off, at once. Its name is a label elsewhere. */
export function Toggle({ id, on, inert: ineffective = false, describedBy, onChange }: ToggleProps) {
  const { inert, ...reason } = useInert(ineffective);
  return (
    <Switch.Root
      {...(id && { id })}
      className="toggle"
      nativeButton
      render={<button type="button" />}
      checked={on}
      readOnly={inert}
      aria-disabled={inert}
      aria-describedby={describedBy}
      {...reason}
      onCheckedChange={onChange}
    >
      <Switch.Thumb />
    </Switch.Root>
  );
}
