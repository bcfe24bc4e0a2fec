import { rollup, sum } from "d3-array";
import { useMemo } from "react";
import { fixed } from "../../charts/drawing/format.ts";
import { ArrivalChart } from "../../charts/plan/ArrivalChart.tsx";
import type { ArrivalCurve, Promised } from "../../charts/plan/arrivals.ts";
import { DecompositionChart } from "../../charts/plan/DecompositionChart.tsx";
import type { Decomposition } from "../../charts/plan/decomposition.ts";
import { LadderChart } from "../../charts/plan/LadderChart.tsx";
import type { Decomposed } from "../../engine/plan/planner.ts";
import type { Burstiness } from "../../generated/answers.d.ts";
import { useEffectiveScenario, useSession } from "../../panels/context.tsx";
import { CapacityPanel } from "../../panels/PlanPanels.tsx";
import { usePlan, usePlanner } from "../../panels/planner.ts";
import { identityIndices } from "../../run/identity.ts";
import { contractOf, contractPath, drawn, sourceText, withPromise } from "../../scenario/contracts.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import type { Frame } from "../../ui/media.ts";
import { Segmented } from "../../ui/Segmented.tsx";
import { Select } from "../../ui/Select.tsx";
import { useWidth } from "../../ui/useWidth.ts";
import { GUTTERS } from "../../workbench/layout.ts";
import { pageStore } from "../../workbench/pageStore.ts";
import { useStamp } from "../../workbench/stamp.ts";
import { exploreView } from "../../workbench/state/exploreView.ts";
import { planView } from "../../workbench/state/planView.ts";
import { useViewState, useViews } from "../../workbench/view/viewContext.tsx";

const ARRIVALS = 260;
/** Of a strip of a class. */
const STRIP = 46;
const STRIPS_AROUND = 62;
const LADDER = 200;

interface PlanPaneProps {
  readonly frame: Frame;
  readonly tenant: number;
}

/** One tenant closely: how its requests come, which class they are in, and what that needs. */
export function PlanPane({ frame, tenant }: PlanPaneProps) {
  const session = useSession();
  const shown = useEffectiveScenario();
  const stamp = useStamp();
  const [box, width] = useWidth();
  const [{ arrivals, range }, change] = useViewState(planView);
  const serverIops = usePlan(({ needs }) => needs?.capacityIops ?? null);
  const windows = usePlan((plan) => plan.windows[tenant]);
  const decomposed = usePlan((plan) => (plan.decomposed?.tenant === tenant ? plan.decomposed : null));
  const ladder = usePlan((plan) => plan.ladder);
  const contract = contractOf(shown, tenant);
  const name = shown.classes[tenant]?.name ?? "";
  const kindIndex = identityIndices(shown.classes.map((item) => item.name))[tenant] ?? 0;
  const gutters = GUTTERS[frame];
  const curve = useMemo(
    () => curveOf(arrivals, { name, kindIndex, contract, serverIops }, windows, decomposed),
    [arrivals, name, kindIndex, contract, serverIops, windows, decomposed],
  );
  const data = useMemo(
    (): Decomposition | null => decomposed && decompositionOf(decomposed, { name, kindIndex, contract }),
    [decomposed, name, kindIndex, contract],
  );
  const draw = (at: number, part: "burst" | "rateIops", value: number) =>
    session.change(
      [{ path: contractPath(tenant), value: withPromise(contract, at, { [part]: drawn(value) }) }],
      true,
    );
  return (
    <div ref={box}>
      <PlanHead frame={frame} tenant={tenant} />
      <StandInNote />
      {curve ? (
        <ArrivalChart
          curve={curve}
          width={width}
          height={ARRIVALS}
          gutters={gutters}
          stamp={stamp}
          onDraw={draw}
          header={
            <span className="chart-aside">
              <Segmented
                label="Arrivals by"
                value={arrivals}
                options={[
                  { value: "window", title: "Windows" },
                  { value: "time", title: "Time" },
                ]}
                onChange={(next) => change({ arrivals: next })}
              />
            </span>
          }
        />
      ) : (
        <p className="plan-wait" style={{ height: ARRIVALS }}>
          The requests of {name} are being looked at.
        </p>
      )}
      {data && (
        <DecompositionChart
          data={data}
          width={width}
          height={STRIPS_AROUND + STRIP * (data.totals.length + 1)}
          gutters={gutters}
          stamp={stamp}
          wholeUs={shown.durationUs}
          onRange={(next) => change({ range: next })}
          header={
            <span className="chart-aside">
              <Button look="link" onClick={() => change({ range: busiest(data) })}>
                Busiest moment
              </Button>
              {range && (
                <Button look="link" onClick={() => change({ range: null })}>
                  Whole run
                </Button>
              )}
            </span>
          }
        />
      )}
      <CapacityPanel tenant={tenant} />
      {ladder && (
        <LadderChart
          picture={{ kindIndex, name, steps: ladder }}
          height={LADDER}
          gutters={gutters}
          stamp={stamp}
        />
      )}
    </div>
  );
}

/** Who is looked at, how it asks, and how far the planner is. */
function PlanHead({ frame, tenant }: PlanPaneProps) {
  const shown = useEffectiveScenario();
  const views = useViews();
  const [, change] = useViewState(planView);
  const planned = usePlan((plan) => plan.tenants[tenant]);
  return (
    <header className="plan-head">
      {shown.classes.length > 1 ? (
        <Select
          aria-label="Tenant"
          value={String(tenant)}
          options={shown.classes.map(({ name }, index) => ({ value: String(index), title: name }))}
          onChange={(next) => change({ tenant: next === "0" ? null : Number(next) })}
        />
      ) : (
        <b>{shown.classes[0]?.name}</b>
      )}
      <span className="note plan-source">
        {sourceText(shown, tenant)}
        {planned && `, ${fixed(planned.requests, 0)} requests, ${fixed(planned.rateIops, 1)}/s on average`}
      </span>
      <PlanProgress />
      {frame === "phone" && (
        <IconButton
          icon="settings"
          label="Contracts and server"
          onClick={() => pageStore.setState({ drawer: "contracts" })}
        />
      )}
      <Button onClick={() => views.show(exploreView)}>Open in Explore</Button>
    </header>
  );
}

/** What is planned for where the requests of the scenario follow the answers of the server. */
function StandInNote() {
  const session = useSession();
  const standIns = usePlan((plan) => plan.standIns);
  if (standIns.length === 0) return null;
  const gbps = rollup(
    standIns,
    (found) => sum(found, ({ offeredGbps }) => offeredGbps),
    ({ class: name }) => name,
  );
  const rates = [...gbps].map(([name, rate]) => `${name} ${fixed(rate, rate < 10 ? 2 : 1)} Gb/s`).join(", ");
  return (
    <aside className="plan-stand-in" aria-label="Stand-in">
      <p>
        <b>The plan uses a stand-in.</b> This traffic is closed loop: it has no arrivals to plan for. Random
        arrivals at the rates measured in the run take its place: {rates}.
      </p>
      <Button onClick={() => session.change(standIns.map(({ path, traffic }) => ({ path, value: traffic })))}>
        Use these arrivals in the scenario
      </Button>
    </aside>
  );
}

/** What is being computed, with a way out; quick answers do not flash it up. */
function PlanProgress() {
  const planner = usePlanner();
  const progress = usePlan((plan) => plan.progress);
  const cancelled = usePlan((plan) => plan.cancelled);
  if (cancelled)
    return (
      <span className="plan-progress" role="status">
        <span className="note">Stopped before all was computed.</span>
        <Button look="link" onClick={planner.renew}>
          Go on
        </Button>
      </span>
    );
  if (!progress) return <span className="spring" />;
  return (
    <span className="plan-progress">
      <progress aria-label={`Computing ${progress.of}`} value={progress.share} max={1} />
      <span className="note">{progress.of}</span>
      <Button look="link" onClick={planner.cancel}>
        Cancel
      </Button>
    </span>
  );
}

type Owner = Pick<ArrivalCurve, "name" | "kindIndex" | "contract" | "serverIops">;

/** Shortest window that is shown. */
const MIN_STRETCH_US = 1000;

function curveOf(
  axes: ArrivalCurve["axes"],
  owner: Owner,
  windows: readonly Burstiness[] | undefined,
  decomposed: Decomposed | null,
): ArrivalCurve | null {
  if (axes === "window") {
    const points = (windows ?? []).flatMap(({ windowUs, most }) =>
      windowUs >= MIN_STRETCH_US && most > 0 ? [[windowUs, most] as const] : [],
    );
    const last = points.at(-1);
    return last ? { axes, ...owner, points, fromUs: MIN_STRETCH_US, toUs: last[0] } : null;
  }
  if (!decomposed) return null;
  const { range, counts } = decomposed;
  const parts = counts.length / range.bins;
  const width = (range.toUs - range.fromUs) / range.bins;
  const points: (readonly [number, number])[] = [[0, 0]];
  let sum = 0;
  for (let bin = 0; bin < range.bins; bin++) {
    for (let part = 0; part < parts; part++) sum += counts[part * range.bins + bin] ?? 0;
    points.push([(bin + 1) * width, sum]);
  }
  return { axes, ...owner, points, fromUs: range.fromUs, toUs: range.toUs };
}

function decompositionOf(
  { range, counts, totals }: Decomposed,
  {
    name,
    kindIndex,
    contract,
  }: { readonly name: string; readonly kindIndex: number; readonly contract: readonly Promised[] },
): Decomposition {
  const { fromUs, toUs, bins } = range;
  return {
    name,
    kindIndex,
    fromUs,
    toUs,
    bins,
    counts,
    totals,
    responsesUs: contract.slice(0, totals.length - 1).map(({ responseUs }) => responseUs),
  };
}

const CLOSER = 40;

/** The stretch around the part with the most requests, closer by far. */
function busiest({ fromUs, toUs, bins, counts, totals }: Decomposition): readonly [number, number] {
  let [best, most] = [0, -1];
  for (let bin = 0; bin < bins; bin++) {
    const count = totals.reduce((sum, _, part) => sum + (counts[part * bins + bin] ?? 0), 0);
    if (count > most) [best, most] = [bin, count];
  }
  const length = (toUs - fromUs) / CLOSER;
  const middle = fromUs + ((best + 0.5) / bins) * (toUs - fromUs);
  const start = Math.max(0, middle - length / 2);
  return [start, start + length];
}
