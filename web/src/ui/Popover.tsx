import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from "react";

interface PopoverProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly label: string;
  readonly placement?: "below" | "below-end" | "beside" | "above";
  /** Moves the focus inside when it opens. */
  readonly takesFocus?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

const GAP = 6;
const MARGIN = 8;

/** A native popover beside its trigger: Esc or a click elsewhere closes it and the focus returns. */
export function Popover(props: PopoverProps) {
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
  const box = useRef<HTMLDivElement>(null);
  const id = useId();

  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !open) return;
    if (!element.matches(":popover-open")) element.showPopover();
    const place = () => {
      const target = anchor.current?.getBoundingClientRect();
      if (!target) return;
      const column = anchor.current?.closest(".sidebar")?.getBoundingClientRect();
      const { offsetWidth: width, offsetHeight: height } = element;
      const { x, y } = spot(placement, target, column ?? target, width, height);
      element.style.left = `${Math.max(MARGIN, Math.min(x, innerWidth - width - MARGIN))}px`;
      element.style.top = `${Math.max(MARGIN, Math.min(y, innerHeight - height - MARGIN))}px`;
    };
    place();
    if (takesFocus) (element.querySelector<HTMLElement>("[data-autofocus]") ?? element).focus();
    addEventListener("resize", place);
    return () => removeEventListener("resize", place);
  }, [open, anchor, placement, takesFocus]);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const toggled = (event: Event) => {
      if ((event as ToggleEvent).newState === "closed") onClose();
    };
    element.addEventListener("toggle", toggled);
    return () => element.removeEventListener("toggle", toggled);
  }, [onClose]);

  useEffect(() => {
    const element = box.current;
    if (!open && element?.matches(":popover-open")) element.hidePopover();
  }, [open]);

  return (
    <div
      ref={box}
      id={id}
      popover="auto"
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      className={`popover ${className}`}
    >
      {open && children}
    </div>
  );
}

/** Where a popover goes: "beside" leaves the column of settings that its trigger stands in uncovered. */
function spot(placement: string, target: DOMRect, column: DOMRect, width: number, height: number) {
  switch (placement) {
    case "beside":
      return {
        x: column.right + width + GAP > innerWidth ? target.left : column.right + GAP,
        y: target.top - 8,
      };
    case "above":
      return { x: target.left, y: target.top - height - GAP };
    case "below-end":
      return { x: target.right - width, y: target.bottom + GAP };
    default:
      return { x: target.left, y: target.bottom + GAP };
  }
}
