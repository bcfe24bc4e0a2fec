import { useEffect } from "react";
import { useStore } from "zustand";
import { drives } from "../../engine/campaign/fit/drivesStore.ts";
import { useEffectiveScenario, useSession } from "../../panels/context.tsx";
import { valueAt } from "../../scenario/schema.ts";
import { Button } from "../../ui/Button.tsx";
import { Select } from "../../ui/Select.tsx";
import { changesOf } from "../../workbench/fit/fitPage.ts";
import { storageView } from "../../workbench/state/storageView.ts";
import { useViewState } from "../../workbench/view/viewContext.tsx";

/** Drives that a person has fitted, beside the presets; and the way to fit one. */
export function OwnDrives() {
  const session = useSession();
  const [, change] = useViewState(storageView);
  const kept = useStore(drives.store, (state) => state.drives);
  const ssd = JSON.stringify(valueAt(useEffectiveScenario(), "storage.ssd"));
  useEffect(() => void drives.load(), []);
  const current = kept.find(({ drive }) => JSON.stringify(drive.ssd) === ssd);
  return (
    <>
      {kept.length > 0 && (
        <div className="row-main">
          <span className="row-label">Your drives</span>
          <Select
            aria-label="Your drives"
            value={current?.id ?? ""}
            options={[
              ...(current ? [] : [{ value: "", title: "none" }]),
              ...kept.map(({ id, name }) => ({ value: id, title: name })),
            ]}
            onChange={(id) => {
              const chosen = kept.find((drive) => drive.id === id);
              if (chosen) session.change(changesOf(chosen.drive));
            }}
          />
        </div>
      )}
      <p className="row-note">
        <Button look="link" onClick={() => change({ fit: true })}>
          Fit to measurements
        </Button>
      </p>
    </>
  );
}
