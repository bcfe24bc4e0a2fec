import type { ComponentProps } from "react";
import { Icon, type IconName } from "./Icon.tsx";
import { useDisabled } from "./lock.ts";
import "./Button.css";

type ButtonProps = ComponentProps<"button"> & {
  readonly look?: "default" | "primary" | "quiet" | "link";
  readonly icon?: IconName;
};

/** A button with words. In a locked place those that look like links still lead on; the others would change something. */
export function Button({ look = "default", icon, children, className = "", ...rest }: ButtonProps) {
  const { disabled, ...reason } = useDisabled(false);
  const held = disabled && look !== "link" ? { "aria-disabled": true, onClick: undefined, ...reason } : {};
  return (
    <button type="button" className={`button button-${look} ${className}`} {...rest} {...held}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

type IconButtonProps = Omit<ComponentProps<"button">, "aria-label"> & {
  readonly icon: IconName;
  readonly label: string;
  /** Shown after the name in the tooltip. */
  readonly shortcut?: string;
};

/** A button of an icon alone; its name is spoken and shown as tooltip. */
export function IconButton({ icon, label, shortcut, className = "", ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      className={`icon-button ${className}`}
      aria-label={label}
      title={shortcut ? `${label} (${shortcut})` : label}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}
