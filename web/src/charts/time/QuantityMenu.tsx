import { useRef, useState } from "react";
import { Icon } from "../../ui/Icon.tsx";
import { MathSymbol } from "../../ui/MathSymbol.tsx";
import { Menu } from "../../ui/popups.ts";
import type { Subject } from "../form.ts";
import { SUBJECTS } from "../registry.ts";
import "./QuantityMenu.css";

interface QuantityMenuProps {
  readonly chosen: Subject;
  readonly reason: (subject: string) => string | null;
  readonly onChoose: (subject: string) => void;
}

/** Title of a chart that opens the subjects it may show instead; those that cannot say why. */
export function QuantityMenu({ chosen, reason, onChoose }: QuantityMenuProps) {
  const [open, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className="quantity-trigger"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={`${chosen.title}, choose what the chart shows`}
        onClick={() => setOpen(!open)}
      >
        <b>{chosen.title}</b>
        {chosen.symbol && <MathSymbol>{chosen.symbol}</MathSymbol>}
        <Icon name="down" size={12} />
      </button>
      <Menu
        open={open}
        onClose={() => setOpen(false)}
        anchor={trigger}
        label="What the chart shows"
        className="quantities"
        entries={SUBJECTS.map(({ id, title, symbol, unit }) => {
          const why = reason(id);
          return {
            id,
            chosen: id === chosen.id,
            disabled: why !== null,
            onSelect: () => onChoose(id),
            content: (
              <>
                <span>
                  {title}
                  {symbol && <MathSymbol>{symbol}</MathSymbol>}
                </span>
                <span className="note">{why ?? unit}</span>
              </>
            ),
          };
        })}
      />
    </>
  );
}
