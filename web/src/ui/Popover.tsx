import { Popover as Base } from "@base-ui/react/popover";
import { type ReactNode, type RefObject, useRef } from "react";
import { container, GAP, isFrom, MARGIN } from "./placement.ts";

export interface PopoverProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly label: string;
  /** "beside" leaves the column of settings that the anchor stands in uncovered. */
  readonly placement?: "below" | "below-end" | "beside";
  /** Moves the focus inside when it opens: to what is marked `data-autofocus`, else to the popover itself. */
  readonly takesFocus?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A popover beside its anchor: Esc or a click elsewhere closes it and the focus returns. */
export default function Popover(props: PopoverProps) {
  const {
    open,
    onClose,
    anchor,
    label,
    placement = "below",
    takesFocus = true,
    className = "",
    children,
  } = props;
  const popup = useRef<HTMLDivElement>(null);
  const first = () => popup.current?.querySelector<HTMLElement>("[data-autofocus]") ?? popup.current;
  const beside = placement === "beside";
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, details) => {
        if (details.reason === "outside-press" && isFrom(anchor, details.event)) details.cancel();
        else if (!next) onClose();
      }}
    >
      <Base.Portal container={container()}>
        <Base.Positioner
          className="popup"
          anchor={beside ? () => inColumn(anchor) : anchor}
          side={beside ? "right" : "bottom"}
          align={placement === "below-end" ? "end" : "start"}
          sideOffset={GAP}
          alignOffset={beside ? -MARGIN : 0}
          collisionPadding={MARGIN}
        >
          <Base.Popup
            ref={popup}
            className={`popover ${className}`}
            aria-label={label}
            initialFocus={takesFocus && first}
            finalFocus={takesFocus}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** The anchor, as wide as the column of settings that it stands in. */
function inColumn(anchor: RefObject<HTMLElement | null>) {
  const element = anchor.current;
  const column = element?.closest(".sidebar") ?? element;
  if (!element || !column) return null;
  return {
    contextElement: element,
    getBoundingClientRect: () => {
      const { top, height } = element.getBoundingClientRect();
      const { left, width } = column.getBoundingClientRect();
      return new DOMRect(left, top, width, height);
    },
  };
}
