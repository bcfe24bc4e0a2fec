import { Menu as Base } from "@base-ui/react/menu";
import { type ReactNode, type RefObject, useRef } from "react";
import { container, GAP, isFrom, MARGIN } from "./placement.ts";

export interface MenuEntry {
  readonly id: string;
  readonly content: ReactNode;
  /** One of several of which one holds, and whether it is that one. */
  readonly chosen?: boolean;
  /** Reached by the keyboard, but without effect; its content says why. */
  readonly disabled?: boolean;
  /** The menu stays open. */
  readonly stays?: boolean;
  readonly onSelect: () => void;
}

export interface MenuProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly label: string;
  readonly align?: "start" | "end";
  readonly className?: string;
  readonly entries: readonly MenuEntry[];
}

/** A menu beside the button that opens it. Arrows and letters move in it; Esc closes it and the focus returns. */
export default function Menu(props: MenuProps) {
  const { open, onClose, anchor, label, align = "start", className = "", entries } = props;
  const popup = useRef<HTMLDivElement>(null);
  const item = (selector: string) => popup.current?.querySelector<HTMLElement>(selector);
  const chosen = entries.find((entry) => entry.chosen)?.id;
  return (
    <Base.Root
      open={open}
      modal={false}
      onOpenChangeComplete={(done) => {
        if (done) (item("[aria-checked=true]") ?? item(".menu-item"))?.focus();
      }}
      onOpenChange={(next, details) => {
        if (details.reason === "outside-press" && isFrom(anchor, details.event)) details.cancel();
        else if (!next) onClose();
      }}
    >
      <Base.Portal container={container()}>
        <Base.Positioner
          className="popup"
          anchor={anchor}
          side="bottom"
          align={align}
          sideOffset={GAP}
          collisionPadding={MARGIN}
        >
          <Base.Popup ref={popup} className={`menu ${className}`} aria-label={label} finalFocus={anchor}>
            {chosen === undefined ? (
              entries.map((entry) => <Item key={entry.id} {...entry} />)
            ) : (
              <Base.RadioGroup value={chosen}>
                {entries.map((entry) => (
                  <Choice key={entry.id} {...entry} />
                ))}
              </Base.RadioGroup>
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Item({ content, disabled = false, stays = false, onSelect }: MenuEntry) {
  return (
    <Base.Item className="menu-item" disabled={disabled} closeOnClick={!stays} onClick={onSelect}>
      {content}
    </Base.Item>
  );
}

/** One of several of which one holds. */
function Choice({ id, content, disabled = false, onSelect }: MenuEntry) {
  return (
    <Base.RadioItem className="menu-item" value={id} disabled={disabled} closeOnClick onClick={onSelect}>
      {content}
    </Base.RadioItem>
  );
}
