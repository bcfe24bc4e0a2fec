import { type KeyboardEvent, type RefObject, useRef } from "react";
import { useDocument, useSession } from "../panels/context.tsx";
import { presetGroups } from "../scenario/presets.ts";
import type { Scenario } from "../scenario/types.ts";
import { Button } from "../ui/Button.tsx";
import { Popover } from "../ui/Popover.tsx";

interface PresetMenuProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly anchor: RefObject<HTMLElement | null>;
}

/** The scenarios that come with the page, and files. */
export function PresetMenu({ open, onClose, anchor }: PresetMenuProps) {
  const session = useSession();
  const document = useDocument();
  const file = useRef<HTMLInputElement>(null);
  const choose = (scenario: Scenario) => {
    onClose();
    session.begin(scenario);
  };
  const openFile = async (chosen: File | undefined) => {
    if (!chosen) return;
    onClose();
    session.openText(await chosen.text());
  };
  return (
    <Popover open={open} onClose={onClose} anchor={anchor} label="Scenarios" className="preset-menu">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows only add to Tab, which reaches every button */}
      <div onKeyDown={moveFocus}>
        {document.description && <p className="preset-about">{document.description}</p>}
        {presetGroups().map(({ title, presets }) => (
          <section key={title} aria-label={title}>
            <h2>{title}</h2>
            {presets.map(({ id, scenario }) => (
              <button
                key={id}
                type="button"
                className="preset"
                aria-current={scenario.name === document.name}
                title={scenario.description}
                onClick={() => choose(scenario)}
              >
                {scenario.name}
              </button>
            ))}
          </section>
        ))}
        <div className="button-row">
          <Button icon="open" onClick={() => file.current?.click()}>
            Open a scenario file
          </Button>
          <input
            ref={file}
            type="file"
            accept=".json,application/json"
            hidden
            onChange={(event) => openFile(event.target.files?.[0])}
          />
        </div>
      </div>
    </Popover>
  );
}

/** Arrows move among the buttons of the menu. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const direction = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (direction === undefined) return;
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  buttons[(at + direction + buttons.length) % buttons.length]?.focus();
  event.preventDefault();
}
