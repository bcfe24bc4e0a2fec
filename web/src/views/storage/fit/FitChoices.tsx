import { useId } from "react";
import { useStore } from "zustand";
import { drives } from "../../../engine/campaign/fit/drivesStore.ts";
import { fitRuns } from "../../../engine/campaign/fit/fitRuns.ts";
import { useScenario } from "../../../panels/context.tsx";
import { NumberField } from "../../../panels/NumberField.tsx";
import { Panel } from "../../../panels/Panel.tsx";
import { fieldAt } from "../../../scenario/schema.ts";
import { Segmented } from "../../../ui/Segmented.tsx";
import { Select } from "../../../ui/Select.tsx";
import { fitPage } from "../../../workbench/fit/fitPage.ts";

/** Hold-outs that can be chosen: one of so many jobs, or none. */
const HOLD_OUTS = [0, 3, 4, 5];

/** How the drive is fitted. */
export function FitChoices() {
  const choices = useStore(fitRuns.store, (state) => state.choices);
  const kept = useStore(drives.store, (state) => state.drives);
  const start = useStore(fitPage, (page) => page.start);
  const scenario = useScenario();
  const id = useId();
  if (!choices) return null;
  const presets = fieldAt("storage.ssd.preset", scenario).options ?? [];
  const holdOuts = [...new Set([...HOLD_OUTS, choices.holdOut])].toSorted((one, other) => one - other);
  return (
    <Panel id="fit-choices" title="Fit">
      <div className="row-main">
        <label className="row-label" htmlFor={`${id}-start`}>
          Start from
        </label>
        <Select
          id={`${id}-start`}
          value={start}
          options={[
            { value: "scenario", title: "drive of the scenario" },
            ...presets.map(({ value, title }) => ({ value: `preset ${value}`, title })),
            ...kept.map(({ id, name }) => ({ value: `drive ${id}`, title: name })),
          ]}
          onChange={(start) => fitPage.setState({ start })}
        />
      </div>
      <div className="row-main">
        <label className="row-label" htmlFor={`${id}-held`}>
          Hold out
        </label>
        <Select
          id={`${id}-held`}
          value={String(choices.holdOut)}
          options={holdOuts.map((every) => ({
            value: String(every),
            title: every === 0 ? "no job" : `one of ${every} jobs`,
          }))}
          onChange={(every) => fitRuns.choose({ holdOut: Number(every) })}
        />
      </div>
      <div className="row-main">
        <span className="row-label">Match</span>
        <Segmented
          label="Match"
          value={choices.meansAlone ? "mean" : "all"}
          options={[
            { value: "mean", title: "mean" },
            { value: "all", title: "mean, p50, p99" },
          ]}
          onChange={(match) => fitRuns.choose({ meansAlone: match === "mean" })}
        />
      </div>
      <div className="row-main">
        <label className="row-label" htmlFor={`${id}-seed`}>
          Seed
        </label>
        <NumberField
          id={`${id}-seed`}
          label="Seed"
          field={fieldAt("seed", scenario)}
          value={choices.seed}
          onCommit={(seed) => seed !== null && fitRuns.choose({ seed })}
        />
      </div>
    </Panel>
  );
}
