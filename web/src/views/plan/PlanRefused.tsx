import { group } from "d3-array";
import { useRun, useScenario, useSession } from "../../panels/context.tsx";
import { usePlan, usePlanner } from "../../panels/planner.ts";
import { TraceButton } from "../../panels/TraceButton.tsx";
import { diagnosticText } from "../../scenario/check.ts";
import { SCENARIOS } from "../../scenario/presets.ts";
import type { Diagnostic, Scenario } from "../../scenario/types.ts";
import { Button } from "../../ui/Button.tsx";
import { planView } from "../../workbench/state/planView.ts";
import { useViews } from "../../workbench/view/viewContext.tsx";

/** A scenario of promises to tenants, to plan with at once. */
const EXAMPLE = "paper4-fig7-nested";

/** Why a scenario cannot be planned for, and what can be done about it. */
export function PlanRefused() {
  const session = useSession();
  const views = useViews();
  const planner = usePlanner();
  const failure = usePlan((plan) => plan.failure);
  const diagnostics = usePlan((plan) => plan.diagnostics);
  const scenario = useScenario();
  const example = SCENARIOS[EXAMPLE];
  const ended = useRun((run) => run.phase === "ended");
  if (failure !== null)
    return (
      <section className="no-devices" aria-labelledby="plan-failed" role="alert">
        <h2 id="plan-failed">The planner stopped</h2>
        <p>The scenario and its run are as they were. {failure}</p>
        <Button look="primary" onClick={planner.renew}>
          Plan again
        </Button>
      </section>
    );
  return (
    <section className="no-devices" aria-labelledby="no-plan">
      <h2 id="no-plan">Nothing to plan for</h2>
      <p>
        A plan is made for requests that arrive by themselves: a trace, a stand-in for one, or an open loop.
      </p>
      {reasonsOf(diagnostics, scenario).map(([reason, names]) => (
        <p key={reason}>
          <b>{names.join(", ")}</b>
          {names.length > 1 ? ": each " : " "}
          {reason}
        </p>
      ))}
      {!ended && (
        <p role="status">
          If requests follow answers, the plan uses random arrivals at the rates of the run, measured after
          its warm-up.
        </p>
      )}
      <div className="button-row">
        {example && (
          <Button
            look="primary"
            onClick={() => {
              session.begin(example);
              views.show(planView);
            }}
          >
            Open “{example.name}”
          </Button>
        )}
        <TraceButton
          label="Plan for a trace"
          onFile={(file) => session.run.setState({ offeredTrace: { file, workload: null } })}
        />
      </div>
    </section>
  );
}

/** What is wrong, each sentence once, with the classes that it is true of. */
function reasonsOf(
  diagnostics: readonly Diagnostic[],
  { workloads }: Scenario,
): readonly (readonly [reason: string, names: readonly string[]])[] {
  const nameOf = ({ path }: Diagnostic) => {
    const [, place] = /^workloads\[(\d+)\]/.exec(path) ?? [];
    return workloads[Number(place)]?.class ?? path;
  };
  const byReason = group(diagnostics, diagnosticText);
  return [...byReason].map(([reason, of]) => [reason, [...new Set(of.map(nameOf))]] as const);
}
