import { useMemo } from "react";
import { ResponseChart } from "../../charts/latency/ResponseChart.tsx";
import type { TenantOutcome } from "../../generated/answers.d.ts";
import { useEffectiveScenario, useRun } from "../../panels/context.tsx";
import { AdmissionPanel, KeepPanel, SimulationPanel } from "../../panels/PlanPanels.tsx";
import { usePlan } from "../../panels/planner.ts";
import { identityIndices } from "../../run/identity.ts";
import type { LatencyView } from "../../run/types.ts";
import { schedulerThat, TENANT_SCHEDULERS, type TenantScheduler } from "../../scenario/catalogue.ts";
import { contractOf, schedulerOf } from "../../scenario/contracts.ts";
import type { Scenario } from "../../scenario/types.ts";
import { type Frame, useWindowHeight } from "../../ui/media.ts";
import { useStamp } from "../../workbench/stamp.ts";
import { planView } from "../../workbench/state/planView.ts";
import { useViewState } from "../../workbench/view/viewContext.tsx";

interface PlanResultsProps {
  readonly frame: Frame;
  readonly tenant: number;
}

/** Who can be admitted, and what becomes of the promises under every scheduler. */
export function PlanResults({ frame, tenant }: PlanResultsProps) {
  const shown = useEffectiveScenario();
  const [{ promise, scheduler }, change] = useViewState(planView);
  const own = schedulerOf(shown);
  const wished = TENANT_SCHEDULERS.find(({ value }) => value === scheduler);
  const chosen = wished ?? own ?? schedulerThat(({ suggested }) => suggested);
  return (
    <aside className="results" aria-label="Results">
      <AdmissionPanel />
      <KeepPanel
        promise={promise ?? 0}
        scheduler={chosen.value}
        onPromise={(next) => change({ promise: next === 0 ? null : next })}
        onScheduler={(next) => change({ scheduler: next === own?.value ? "" : next })}
      />
      <ResponsesPanel frame={frame} tenant={tenant} scheduler={chosen} isInForce={chosen === own} />
      <SimulationPanel tenant={tenant} />
    </aside>
  );
}

interface ResponsesPanelProps extends PlanResultsProps {
  readonly scheduler: TenantScheduler;
  /** The scheduler is that of the scenario, so that its simulation can stand beside it. */
  readonly isInForce: boolean;
}

/** Response times of all tenants under one scheduler, with the bounds that the tenant looked at was promised. */
function ResponsesPanel({ frame, tenant, scheduler, isInForce }: ResponsesPanelProps) {
  useRun((run) => run.tick);
  const shown = useEffectiveScenario();
  const stamp = useStamp();
  const outcomes = usePlan((plan) => plan.outcomes[scheduler.value]);
  const requests = usePlan((plan) => plan.tenants);
  const view = useRun((run) => run.view);
  const planned = useMemo(
    () =>
      outcomes && outcomes.length > 0
        ? latencyOf(
            shown,
            outcomes,
            requests.map((item) => item.requests),
          )
        : null,
    [shown, outcomes, requests],
  );
  const deadlines = contractOf(shown, tenant).map(({ responseUs }) => ({
    classIndex: tenant,
    latencyUs: responseUs,
  }));
  const windowHeight = useWindowHeight();
  const height = frame === "phone" ? 260 : Math.min(360, Math.max(220, windowHeight - 640));
  return (
    <section className="panel latency" aria-labelledby="responses-title">
      <header>
        <h2 id="responses-title">
          Response times{" "}
          <span className="note">
            {scheduler.title}
            {isInForce && view ? "; thin: simulated" : ""}
          </span>
        </h2>
      </header>
      {planned ? (
        <ResponseChart
          title={`Response times under ${scheduler.title}`}
          run={planned}
          ghost={isInForce ? view : null}
          deadlines={deadlines}
          height={height}
          stamp={stamp}
        />
      ) : (
        <p className="row-note" style={{ height }}>
          {outcomes
            ? "A server without capacity answers nothing: give a tenant a contract."
            : "Being computed."}
        </p>
      )}
    </section>
  );
}

/** The outcome of a plan as charts of latency take it. */
function latencyOf(
  { classes }: Scenario,
  outcomes: readonly TenantOutcome[],
  requests: readonly number[],
): LatencyView {
  const identities = identityIndices(classes.map(({ name }) => name));
  return {
    classes: classes.map(({ name }, index) => ({ name, kindIndex: identities[index] ?? 0 })),
    latency: classes.map((_, index) => Float64Array.from((outcomes[index]?.tail ?? []).flat())),
    layout: { figureColumns: ["requestsCompleted"] },
    figures: Float64Array.from(requests),
  };
}
