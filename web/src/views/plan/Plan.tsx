import { useEffect, useMemo } from "react";
import type { LadderTerms } from "../../generated/answers.d.ts";
import { ContractsPanel } from "../../panels/ContractsPanel.tsx";
import { useEffectiveScenario, useRun, useScenario } from "../../panels/context.tsx";
import { LadderPanel } from "../../panels/LadderPanel.tsx";
import { PlanServerPanel } from "../../panels/PlanPanels.tsx";
import { usePlan, usePlanner } from "../../panels/planner.ts";
import { measuredGbps } from "../../run/read.ts";
import { TENANT_SCHEDULERS } from "../../scenario/catalogue.ts";
import { schedulerOf } from "../../scenario/contracts.ts";
import { useFrame } from "../../ui/media.ts";
import { Guarded } from "../../workbench/Guarded.tsx";
import { IconBar, SettingsDrawer, Sidebar, type SidebarPanel } from "../../workbench/settings/Sidebar.tsx";
import { planView } from "../../workbench/state/planView.ts";
import { HintToVary } from "../../workbench/study/offers.tsx";
import { useShown, useViewState } from "../../workbench/view/viewContext.tsx";
import { PlanPane } from "./PlanPane.tsx";
import { PlanRefused } from "./PlanRefused.tsx";
import { PlanResults } from "./PlanResults.tsx";
import { TenantStrip } from "./TenantStrip.tsx";
import "./Plan.css";

/** Parts of the time that are counted at once. */
const BINS = 240;

/** What promises cost and who keeps them: contracts on the left, workloads and capacities in the middle, outcomes on the right. */
export default function Plan() {
  const frame = useFrame();
  const phone = frame === "phone";
  const shown = useShown();
  const tenant = useTenant();
  const panels = usePanels(tenant);
  const phase = usePlan((plan) => plan.phase);
  useAsking(tenant);
  const refused = phase === "refused" || phase === "failed";
  return (
    <>
      {phone && (
        <Guarded name="The tenants">
          <TenantStrip />
        </Guarded>
      )}
      <main className="explore plan">
        {!phone && (
          <Guarded name="Settings">
            {frame === "desk" ? <Sidebar panels={panels} /> : <IconBar panels={panels} />}
          </Guarded>
        )}
        <Guarded name="The plan">
          <div className="main-pane">
            {refused ? <PlanRefused /> : <PlanPane frame={frame} tenant={tenant} />}
          </div>
        </Guarded>
        {shown.results && (
          <Guarded name="Results">
            {refused ? (
              <aside className="results" aria-label="Results" />
            ) : (
              <PlanResults frame={frame} tenant={tenant} />
            )}
          </Guarded>
        )}
      </main>
      <Guarded name="A panel">
        {frame !== "desk" && <SettingsDrawer frame={frame} panels={panels} />}
        <HintToVary />
      </Guarded>
    </>
  );
}

/** The tenant that is looked at: the chosen one, while the scenario has it. */
function useTenant(): number {
  const [{ tenant }] = useViewState(planView);
  const { classes } = useEffectiveScenario();
  return tenant !== null && tenant < classes.length ? tenant : 0;
}

function usePanels(tenant: number): readonly SidebarPanel[] {
  const [{ ladder, steps, groups }, change] = useViewState(planView);
  return useMemo(
    () =>
      [
        {
          id: "contracts",
          title: "Contracts",
          icon: "classes",
          panel: (
            <ContractsPanel
              tenant={tenant}
              onTenant={(next) => change({ tenant: next === 0 ? null : next })}
            />
          ),
        },
        { id: "plan-server", title: "Server", icon: "storage", panel: <PlanServerPanel /> },
        {
          id: "ladder",
          title: "Bursts",
          icon: "plan",
          panel: (
            <LadderPanel
              on={ladder === "on"}
              steps={steps}
              groups={groups}
              onToggle={(on) => change({ ladder: on ? "on" : "off" })}
              onSteps={(next) => change({ steps: next })}
              onGroups={(next) => change({ groups: next })}
            />
          ),
        },
      ] satisfies readonly SidebarPanel[],
    [tenant, ladder, steps, groups, change],
  );
}

/** Asks the planner for all that is shown, as it changes. */
function useAsking(tenant: number): void {
  const planner = usePlanner();
  const scenario = useScenario();
  const shown = useEffectiveScenario();
  const begun = useRun((run) => run.generation);
  const missing = useRun((run) => run.missingTraces.length);
  const carried = useCarried();
  const [{ range, ladder, steps, groups }] = useViewState(planView);
  // Every run may have traces that the one before did not.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    const own = schedulerOf(scenario);
    const ownFirst = TENANT_SCHEDULERS.toSorted((a, b) => Number(b === own) - Number(a === own));
    planner.load(
      scenario,
      ownFirst.map(({ value }) => value),
      carried,
    );
    planner.wish(shown);
    const [fromUs, toUs] = range ?? [0, shown.durationUs];
    planner.look({
      tenant,
      range: { fromUs, toUs: Math.min(toUs, shown.durationUs), bins: BINS },
      ladder: ladder === "on" ? ladderOf(steps, groups, shown.classes.length) : null,
    });
  }, [planner, scenario, shown, begun, missing, carried, tenant, range, ladder, steps, groups]);
}

/**
 * Throughput of each class, as arrival rates for a scenario without arrivals of its own: once measured, and again at the end of the
 * run. Null if the scenario needs none.
 */
function useCarried(): readonly number[] | null {
  const planner = usePlanner();
  const scenario = useScenario();
  const wanted = usePlan(({ phase, standIns }) => phase === "refused" || standIns.length > 0);
  const view = useRun((run) => run.view);
  const known = useRun((run) => run.view !== null && measuredGbps(run.view) !== null);
  const ended = useRun((run) => run.phase === "ended");
  // biome-ignore lint/correctness/useExhaustiveDependencies: a plan follows neither every sample nor every contract
  return useMemo(
    () => (wanted ? planner.arrivals(scenario, known && view ? measuredGbps(view) : null, ended) : null),
    [planner, wanted, known, ended, view],
  );
}

function ladderOf(steps: readonly number[], groups: readonly number[], tenants: number): LadderTerms {
  const [amount = 1, first = 1, second = 1, end = 1, stepMs = 1] = steps;
  const of = groups.slice(0, tenants).map((group) => Math.min(group, tenants - 1));
  return { amount, first, second, end, stepUs: 1000 * stepMs, groups: of };
}
