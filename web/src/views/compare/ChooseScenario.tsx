import { useRef, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { PresetMenu } from "../../workbench/scenarios/PresetMenu.tsx";
import { compareView } from "../../workbench/state/compareView.ts";
import { useViewState } from "../../workbench/view/viewContext.tsx";

/** Opens the menu of scenarios to choose one to compare with. */
export function ChooseScenario() {
  const [open, setOpen] = useState(false);
  const [{ baselines }, change] = useViewState(compareView);
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button
        ref={anchor}
        icon="plus"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        Another scenario
      </Button>
      <PresetMenu
        open={open}
        onClose={() => setOpen(false)}
        anchor={anchor}
        onChoose={(scenario) => change({ baselines: [...baselines, scenario] })}
      />
    </>
  );
}
