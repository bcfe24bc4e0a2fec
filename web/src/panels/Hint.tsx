import { type ReactNode, useMemo, useRef } from "react";
import { useStore } from "zustand";
import { fieldAt } from "../scenario/schema.ts";
import { firstOf } from "../scenario/transports.ts";
import { late } from "../ui/onDemand.tsx";
import { Popover } from "../ui/popups.ts";
import { useEffectiveScenario } from "./context.tsx";
import { hideHint, hintStore } from "./hint.ts";
import { Settings } from "./Settings.tsx";
import "./Hint.css";

const HintText = late(() => import("./HintText.tsx"));

interface HintProps {
  /** What a view offers to do with a field. */
  readonly action?: (path: string) => ReactNode;
}

/** What a parameter is: explanation, ranges, default, and its name in links and files. */
export function Hint({ action }: HintProps) {
  const { path, anchor, pinned } = useStore(hintStore);
  const anchorRef = useRef<HTMLElement | null>(null);
  anchorRef.current = anchor;
  const shown = useEffectiveScenario();
  const field = useMemo(() => (path === null ? null : fieldAt(firstOf(path), shown)), [path, shown]);
  return (
    <Popover
      open={path !== null}
      onClose={hideHint}
      anchor={anchorRef}
      label={field?.title ?? "Parameter"}
      placement="beside"
      takesFocus={pinned}
      className="hint"
    >
      {path !== null && field && (
        <Settings>
          <HintText path={path} field={field} />
          {action?.(path)}
        </Settings>
      )}
    </Popover>
  );
}
