import { type KeyboardEvent, useCallback, useRef, useState } from "react";
import { Icon } from "../ui/Icon.tsx";
import { MathSymbol } from "../ui/MathSymbol.tsx";
import { Popover } from "../ui/Popover.tsx";
import type { Subject } from "./form.ts";
import { SUBJECTS } from "./registry.ts";

interface QuantityMenuProps {
  readonly chosen: Subject;
  readonly reason: (subject: string) => string | null;
  readonly onChoose: (subject: string) => void;
}

/** Title of a chart that opens the subjects it may show instead; those that cannot say why. */
export function QuantityMenu({ chosen, reason, onChoose }: QuantityMenuProps) {
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className="quantity-trigger"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={`${chosen.title}, choose what the chart shows`}
        onClick={() => setOpen(!open)}
      >
        <b>{chosen.title}</b>
        {chosen.symbol && <MathSymbol>{chosen.symbol}</MathSymbol>}
        <Icon name="down" size={12} />
      </button>
      <Popover
        open={open}
        onClose={close}
        anchor={trigger}
        label="What the chart shows"
        className="quantities"
      >
        {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows only add to Tab, which reaches every button */}
        <div onKeyDown={moveFocus}>
          {SUBJECTS.map((item) => {
            const why = reason(item.id);
            return (
              <button
                key={item.id}
                type="button"
                className="quantity"
                aria-current={item.id === chosen.id}
                aria-disabled={why !== null}
                {...(item.id === chosen.id && { "data-autofocus": true })}
                onClick={() => {
                  if (why !== null) return;
                  onChoose(item.id);
                  close();
                }}
              >
                <span>
                  {item.title}
                  {item.symbol && <MathSymbol>{item.symbol}</MathSymbol>}
                </span>
                <span className="note">{why ?? item.unit}</span>
              </button>
            );
          })}
        </div>
      </Popover>
    </>
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
