import { fixed, formatDuration, formatPercent } from "../charts/drawing/format.ts";
import { BarCell, ClassHead } from "../charts/frame/BarRow.tsx";
import type { TenantNeeds } from "../generated/answers.d.ts";
import { identityIndices } from "../run/identity.ts";
import { shareWithin } from "../run/latency.ts";
import { TENANT_SCHEDULERS } from "../scenario/catalogue.ts";
import {
  CAPACITY,
  type Contract,
  capacityFor,
  contractOf,
  contractPath,
  SCHEDULER,
  schedulerOf,
  withFirstResponse,
} from "../scenario/contracts.ts";
import { setPath } from "../scenario/path.ts";
import { fieldAt, valueAt } from "../scenario/schema.ts";
import type { Scenario } from "../scenario/types.ts";
import { Button } from "../ui/Button.tsx";
import { Select } from "../ui/Select.tsx";
import { useEffectiveScenario, useRun, useScenario, useSession } from "./context.tsx";
import { FieldTerm } from "./FieldTerm.tsx";
import { NumberField } from "./NumberField.tsx";
import { Panel } from "./Panel.tsx";
import { usePlan } from "./planner.ts";
import "./PlanPanels.css";

const iops = (value: number): string => fixed(value, value < 100 ? 1 : 0);

/** Capacity of the server; null where its devices have no constant one. */
const useServed = (): number | null => usePlan(({ needs }) => needs?.capacityIops ?? null);

const identitiesOf = ({ classes }: Scenario) => identityIndices(classes.map(({ name }) => name));

/** The server that is planned for: its capacity and its scheduler. */
export function PlanServerPanel() {
  const session = useSession();
  const scenario = useScenario();
  const shown = useEffectiveScenario();
  const need = usePlan(({ needs }) => needs?.needIops ?? 0);
  const served = useServed();
  const enough = served === null ? 0 : capacityFor(shown, served, need);
  return (
    <Panel id="plan-server" title="Server" note={served === null ? undefined : `${iops(served)} requests/s`}>
      {served === null ? (
        <p className="row-note">
          Its devices have no constant capacity: the plan is for a server that does what the contracts need.
        </p>
      ) : (
        <div className="row-main">
          <span className="row-label">
            <FieldTerm path={CAPACITY}>{fieldAt(CAPACITY, shown).title}</FieldTerm>
          </span>
          <NumberField
            label={fieldAt(CAPACITY, shown).title}
            field={fieldAt(CAPACITY, shown)}
            value={Number(valueAt(shown, CAPACITY))}
            onCommit={(value, choosing) =>
              value !== null && session.change([{ path: CAPACITY, value }], choosing)
            }
          />
        </div>
      )}
      <div className="row-main">
        <span className="row-label">
          <FieldTerm path={SCHEDULER}>{fieldAt(SCHEDULER, shown).title}</FieldTerm>
        </span>
        <Select
          aria-label={fieldAt(SCHEDULER, shown).title}
          value={String(valueAt(shown, SCHEDULER))}
          options={fieldAt(SCHEDULER, shown).options ?? []}
          onChange={(value) => session.edit(setPath(scenario, SCHEDULER, value))}
        />
      </div>
      {served !== null && need > 0 && enough !== Number(valueAt(shown, CAPACITY)) && (
        <Button onClick={() => session.edit(setPath(scenario, CAPACITY, enough))}>
          Give it what is needed, {iops(need)}
        </Button>
      )}
    </Panel>
  );
}

/** Up to this ratio two capacities count as the same. */
const HARDLY = 1.1;

/** Compares nested classes with a single level, by the ratio of the capacity that a single level needs; empty while that is computed. */
function levelsText(ratio: number | null): string {
  if (ratio === null) return "";
  if (ratio > HARDLY)
    return `Nested classes need ${Number(ratio.toPrecision(2))} times less than one level for all.`;
  if (ratio < 1 / HARDLY)
    return "One level for all would need less: the contract allows more than this workload asks for.";
  return "One level for all would need about the same: the workload has few bursts beyond the contract.";
}

/** What the contract of a tenant needs, nested and as a promise of a single level, with the terms of the lemma. */
export function CapacityPanel({ tenant }: { readonly tenant: number }) {
  const shown = useEffectiveScenario();
  const needs = usePlan(({ needs }) => needs?.tenants[tenant]);
  const single = usePlan(({ singles }) => singles[tenant]);
  const isBehind = usePlan(({ behind }) => behind.has(String(tenant)));
  const contract = contractOf(shown, tenant);
  const name = shown.classes[tenant]?.name ?? "";
  const served = useServed();
  const need = needs?.needIops ?? null;
  const full = Math.max(need ?? 0, single ?? 0, served ?? 0, 1);
  const ratio = need !== null && single ? single / need : null;
  return (
    <section className="panel plan-capacity" aria-labelledby="capacity-title">
      <header>
        <h2 id="capacity-title">
          Capacity <span className="note">requests a second that the contract of {name} needs</span>
        </h2>
      </header>
      {need === null ? (
        <p className="row-note">No contract for {name} yet.</p>
      ) : (
        <>
          <table className="plan-bars">
            <tbody>
              <CapacityRow title="Nested" note={needs?.binding ?? ""} value={need} full={full} isTotal />
              {needs?.termsIops.map((value, at) => (
                <CapacityRow
                  // biome-ignore lint/suspicious/noArrayIndexKey: a term is of its class
                  key={at}
                  title={`Class ${at + 1}`}
                  note={termText(contract, at)}
                  value={value}
                  full={full}
                />
              ))}
              <CapacityRow
                title="Single level"
                note={
                  single === undefined
                    ? "every request looked at"
                    : `every request within ${formatDuration(contract[0]?.responseUs ?? Number.NaN)}${isBehind ? ", of the contract before" : ""}`
                }
                value={single ?? Number.NaN}
                full={full}
                isTotal
              />
              {served !== null && (
                <CapacityRow title="Server" note="for all tenants" value={served} full={full} />
              )}
            </tbody>
          </table>
          <p className="row-note">{levelsText(ratio)}</p>
        </>
      )}
    </section>
  );
}

interface CapacityRowProps {
  readonly title: string;
  readonly note: string;
  readonly value: number;
  readonly full: number;
  readonly isTotal?: boolean;
}

function CapacityRow({ title, note, value, full, isTotal = false }: CapacityRowProps) {
  return (
    <tr data-total={isTotal || undefined}>
      <th scope="row">{title}</th>
      <td className="plan-bar">
        <i style={{ width: `${Math.min(100, (100 * value) / full) || 0}%` }} />
      </td>
      <td className="value">{iops(value)}</td>
      <td className="note">{note}</td>
    </tr>
  );
}

/** The term of a class with its numbers put in: σ/δ + ρ (1 − δ₁/δ) where all ρ are alike. */
function termText(contract: Contract, at: number): string {
  const item = contract[at];
  const first = contract[0];
  if (!item || !first) return "";
  const burst = `${fixed(item.burst, 0)} / ${formatDuration(item.responseUs)}`;
  if (at === 0) return burst;
  if (contract.some(({ rateIops }) => rateIops !== first.rateIops))
    return `${burst}, and what rates of ${fixed(first.rateIops, 0)} to ${fixed(item.rateIops, 0)}/s add by then`;
  return `${burst} + ${fixed(item.rateIops, 0)} (1 − ${formatDuration(first.responseUs)} / ${formatDuration(item.responseUs)})`;
}

/** Who can be admitted to the server, in order, and what could be promised to each beside those before. */
export function AdmissionPanel() {
  const session = useSession();
  const scenario = useScenario();
  const shown = useEffectiveScenario();
  const needs = usePlan((plan) => plan.needs);
  const identities = identitiesOf(shown);
  const served = useServed();
  return (
    <section className="panel admission" aria-labelledby="admission-title">
      <header>
        <h2 id="admission-title">
          Admission <span className="note">in the order of the tenants</span>
        </h2>
      </header>
      <table className="plan-table">
        <thead>
          <tr>
            <th scope="col">Tenant</th>
            <th scope="col">needs</th>
            <th scope="col">admitted</th>
            <th scope="col">tightest</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {shown.classes.map(({ name }, index) => {
            const own = needs?.tenants[index];
            const contract = contractOf(shown, index);
            const tightest = own?.tightestResponseUs ?? null;
            return (
              <tr key={name}>
                <ClassHead name={name} kindIndex={identities[index] ?? 0} />
                <td>{own?.needIops == null ? "nothing" : iops(own.needIops)}</td>
                <td>{admissionText(own)}</td>
                <td>{tightest === null ? "–" : formatDuration(tightest, 3)}</td>
                <td>
                  {tightest !== null && differs(tightest, contract) && (
                    <Button
                      look="link"
                      aria-label={`Promise ${name} the tightest, ${formatDuration(tightest, 3)}`}
                      onClick={() =>
                        session.edit(
                          setPath(
                            scenario,
                            contractPath(index),
                            withFirstResponse(contract, tightest * SAFE),
                          ),
                        )
                      }
                    >
                      Use
                    </Button>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {needs && (
        <p className="row-note">{admissionSentence(shown, needs.needIops, needs.leftIops, served)}</p>
      )}
    </section>
  );
}

/** The tightest response time is rounded up, so that it still fits. */
const SAFE = 1.0001;

const differs = (tightestUs: number, contract: Contract): boolean =>
  Math.abs(tightestUs / (contract[0]?.responseUs ?? tightestUs) - 1) > 0.002;

function admissionText(needs: TenantNeeds | undefined): string {
  if (needs?.admitted == null) return "–";
  return needs.admitted ? "yes" : "no";
}

function admissionSentence(
  { classes }: Scenario,
  needIops: number,
  leftIops: number | null,
  served: number | null,
): string {
  if (needIops === 0) return "Nothing is promised to any tenant yet: give one a contract.";
  if (served === null || leftIops === null)
    return `All contracts together need ${iops(needIops)} requests/s; the server has no capacity of its own to compare with.`;
  const who = classes.length === 1 ? "The contract needs" : "All contracts together need";
  const left = leftIops > 0.05 ? `${iops(leftIops)} are left` : "nothing is left";
  return needIops <= served * (1 + 1e-9)
    ? `${who} ${iops(needIops)} of ${iops(served)} requests/s; ${left}. “Tightest” is what the first class could be promised, the others in proportion.`
    : `${who} ${iops(needIops)}, the server does ${iops(served)} requests/s: not every promise can be kept. ${left.replace(/^./, (letter) => letter.toUpperCase())} beside who is admitted.`;
}

interface KeepPanelProps {
  readonly promise: number;
  readonly scheduler: string;
  readonly onPromise: (promise: number) => void;
  readonly onScheduler: (scheduler: string) => void;
}

/** Under which scheduler which share of every tenant's requests is answered in the time promised. */
export function KeepPanel({ promise, scheduler, onPromise, onScheduler }: KeepPanelProps) {
  const shown = useEffectiveScenario();
  const outcomes = usePlan((plan) => plan.outcomes);
  const behind = usePlan((plan) => plan.behind);
  const identities = identitiesOf(shown);
  const own = schedulerOf(shown)?.value;
  const most = Math.max(0, ...shown.classes.map((_, index) => contractOf(shown, index).length));
  const responses = (at: number) => [
    ...new Set(shown.classes.flatMap((_, index) => contractOf(shown, index)[at]?.responseUs ?? [])),
  ];
  const promiseTitle = (at: number) =>
    `within ${responses(at)
      .map((us) => formatDuration(us, 3))
      .join(" / ")}`;
  const capacity = useServed();
  const needed = usePlan(({ needs }) => needs?.needIops ?? 0);
  return (
    <section className="panel keep" aria-labelledby="keep-title">
      <header>
        <h2 id="keep-title">Who keeps the promise</h2>
        {most > 1 && (
          <Select
            aria-label="Promise"
            look="plain"
            value={String(promise)}
            options={Array.from({ length: most }, (_, at) => ({
              value: String(at),
              title: promiseTitle(at),
            }))}
            onChange={(value) => onPromise(Number(value))}
          />
        )}
      </header>
      {most === 0 ? (
        <p className="row-note">No contracts yet.</p>
      ) : (
        <table className="stage-matrix keep-table">
          <thead>
            <tr>
              <td />
              {shown.classes.map(({ name }, index) => (
                <ClassHead key={name} scope="col" name={name} kindIndex={identities[index] ?? 0} />
              ))}
            </tr>
          </thead>
          <tbody>
            {TENANT_SCHEDULERS.map(({ value, title }) => (
              <tr key={value} data-behind={behind.has(value) || undefined}>
                <th scope="row">
                  <button
                    type="button"
                    className="keep-choice"
                    aria-pressed={value === scheduler}
                    onClick={() => onScheduler(value)}
                  >
                    {title}
                    {value === own && <small className="note"> in force</small>}
                  </button>
                </th>
                {shown.classes.map(({ name }, index) => (
                  <BarCell
                    key={name}
                    kindIndex={identities[index] ?? 0}
                    share={outcomes[value]?.[index]?.within[promise] ?? Number.NaN}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="row-note">
        Share of all requests of a tenant, on the same server of {iops(capacity ?? needed)} requests/s
        {capacity === null && ", just what the contracts need"}.
      </p>
    </section>
  );
}

/** What was planned beside what the simulation of the same scenario finds, for every nested class of a tenant. */
export function SimulationPanel({ tenant }: { readonly tenant: number }) {
  useRun((run) => run.tick);
  const view = useRun((run) => run.view);
  const phase = useRun((run) => run.phase);
  const shown = useEffectiveScenario();
  const own = schedulerOf(shown);
  const planned = usePlan(({ outcomes }) => (own ? outcomes[own.value]?.[tenant]?.within : undefined));
  const contract = contractOf(shown, tenant);
  const served = useServed();
  const name = shown.classes[tenant]?.name ?? "";
  const latency = view?.latency[tenant];
  if (contract.length === 0) return null;
  return (
    <section className="panel beside" aria-labelledby="beside-title">
      <header>
        <h2 id="beside-title">
          Beside the simulation{" "}
          <span className="note">
            {name}, {phase === "ended" ? "whole run" : "so far"}
          </span>
        </h2>
      </header>
      <table className="plan-table">
        <thead>
          <tr>
            <th scope="col">answered within</th>
            <th scope="col">planned</th>
            <th scope="col">simulated</th>
            <th scope="col">differs by</th>
          </tr>
        </thead>
        <tbody>
          {contract.map(({ responseUs }, at) => {
            const plan = planned?.[at] ?? Number.NaN;
            const simulated = latency ? shareWithin(latency, responseUs) : Number.NaN;
            const difference = 100 * (simulated - plan);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a nested class is its place
              <tr key={at}>
                <th scope="row">{formatDuration(responseUs)}</th>
                <td>{formatPercent(plan)}</td>
                <td>{formatPercent(simulated)}</td>
                <td>{Number.isFinite(difference) ? `${fixed(difference, 1)} points` : "–"}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="row-note">{besideText(own !== undefined, served)}</p>
    </section>
  );
}

function besideText(isScheduled: boolean, served: number | null): string {
  if (!isScheduled)
    return "The scenario has no scheduler before its devices, so there is no plan to compare its simulation with.";
  return served === null
    ? "The plan takes the server to be of constant capacity; the simulation has its devices, and the network before them."
    : "The simulation has the network and the protocol before the same server.";
}
