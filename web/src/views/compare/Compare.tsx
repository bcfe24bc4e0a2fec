import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import { useEffectiveScenario, useScenario, useSession } from "../../panels/context.tsx";
import { originOf } from "../../scenario/store.ts";
import { besideFirst, triesOf } from "../../scenario/story.ts";
import { Button } from "../../ui/Button.tsx";
import { useFrame } from "../../ui/media.ts";
import { Segmented } from "../../ui/Segmented.tsx";
import { action } from "../../workbench/actions.ts";
import { Guarded } from "../../workbench/Guarded.tsx";
import { compareView } from "../../workbench/state/compareView.ts";
import { useViewState, useViews } from "../../workbench/view/viewContext.tsx";
import { ChooseScenario } from "./ChooseScenario.tsx";
import { ComparedRuns } from "./ComparedRuns.tsx";
import { CompareResults } from "./CompareResults.tsx";
import { letterOf } from "./letters.ts";
import { useRivals } from "./rivals.ts";
import "./Compare.css";

/** The runs as the switch of a phone names them. */
const PLACES = ["0", "1", "2", "3"] as const;

/** The current run beside others in step with it: the same axes, what differs, and by how much. */
export default function Compare() {
  const frame = useFrame();
  const phone = frame === "phone";
  const [{ baselines, shown }, change] = useViewState(compareView);
  const rivals = useRivals(baselines);
  useFirstBaseline();
  return (
    <>
      {phone && (
        <nav className="compare-switch" aria-label="What is shown">
          <Segmented
            label="Shown"
            value={shown}
            options={[
              { value: "figures" as const, title: "Figures" },
              ...PLACES.slice(0, baselines.length + 1).map((value, place) => ({
                value,
                title: letterOf(place),
              })),
            ]}
            onChange={(next) => change({ shown: next })}
          />
        </nav>
      )}
      <main className="compare" data-runs={baselines.length + 1}>
        {baselines.length === 0 ? (
          <NothingYet />
        ) : (
          <>
            {!(phone && shown === "figures") && (
              <Guarded name="The runs">
                <ComparedRuns rivals={rivals} frame={frame} />
              </Guarded>
            )}
            {!(phone && shown !== "figures") && (
              <Guarded name="The differences">
                <CompareResults rivals={rivals} frame={frame} />
              </Guarded>
            )}
          </>
        )}
      </main>
    </>
  );
}

/** A view that is opened with nothing to compare with begins with what the scenario offers to try first. */
function useFirstBaseline(): void {
  const session = useSession();
  const [{ baselines }, change] = useViewState(compareView);
  // What is taken away by hand stays away until the view is opened again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    if (baselines.length > 0) return;
    change({ baselines: [besideFirst(session.scenario, originOf(session.store.getState()))] });
  }, []);
}

/** What to compare with, where everything was taken away. */
function NothingYet() {
  const session = useSession();
  const views = useViews();
  const scenario = useScenario();
  const shown = useEffectiveScenario();
  const origin = useStore(session.store, originOf);
  const [, change] = useViewState(compareView);
  const tries = useMemo(() => triesOf(shown, origin).filter(({ on }) => !on), [shown, origin]);
  return (
    <section className="compare-empty">
      <h2>Nothing to compare with yet</h2>
      <p>
        Two runs stand side by side and keep step, with the same arrivals in each: what differs between them
        is what you changed.
      </p>
      <div className="button-row">
        {tries.map((item) => (
          <Button
            key={item.label}
            look={item === tries[0] ? "primary" : "default"}
            onClick={() => {
              change({ baselines: [scenario] });
              session.runTried(item.changes);
            }}
          >
            {item.label}, and compare
          </Button>
        ))}
        <Button
          icon="pin"
          look={tries.length === 0 ? "primary" : "default"}
          onClick={() => action("pin").perform(session, views)}
        >
          Pin this run as baseline
        </Button>
        <ChooseScenario />
      </div>
      <p className="note">
        The menu of scenarios offers comparisons that papers made: look for “Compare” in it.
      </p>
    </section>
  );
}
