import { type ReactNode, useCallback, useRef, useState } from "react";
import type { Recommendation } from "../scenario/recommend.ts";
import { Button } from "../ui/Button.tsx";
import { late } from "../ui/onDemand.tsx";
import { Popover } from "../ui/popups.ts";

const RecommendList = late(() => import("./RecommendList.tsx"));

interface RecommendProps {
  /** Stands below the list: what else finds settings. */
  readonly more?: ReactNode;
}

/** Opens the list of settings that theory would set otherwise on this network. */
export function Recommend({ more }: RecommendProps) {
  const [open, setOpen] = useState(false);
  const [done, setDone] = useState<readonly Recommendation[]>([]);
  const close = useCallback(() => setOpen(false), []);
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button ref={anchor} look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        Recommend
      </Button>
      <Popover
        open={open}
        onClose={close}
        anchor={anchor}
        label="Recommended settings"
        placement="beside"
        className="recommend"
      >
        <RecommendList done={done} onDone={setDone} />
        {more}
      </Popover>
    </>
  );
}
