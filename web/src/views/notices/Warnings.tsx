import { useCallback, useRef, useState } from "react";
import { useRun } from "../../panels/context.tsx";
import { diagnosticText } from "../../scenario/check.ts";
import { IconButton } from "../../ui/Button.tsx";
import { Popover } from "../../ui/popups.ts";
import "./Warnings.css";

/** What the engine warns of in the scenario, behind a button; nothing where there is nothing. */
export function Warnings() {
  const warnings = useRun((run) => run.warnings);
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const anchor = useRef<HTMLButtonElement>(null);
  if (warnings.length === 0) return null;
  const label = warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`;
  return (
    <>
      <IconButton
        ref={anchor}
        icon="info"
        label={label}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      <Popover open={open} onClose={close} anchor={anchor} label={label} className="warnings">
        <ul>
          {warnings.map((warning) => (
            <li key={`${warning.path} ${warning.reason}`}>
              <code>{warning.path || "scenario"}</code> {diagnosticText(warning)}
            </li>
          ))}
        </ul>
      </Popover>
    </>
  );
}
