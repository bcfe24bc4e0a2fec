import { fixed, formatDuration } from "../charts/drawing/format.ts";
import { ClassMarker } from "../charts/frame/ClassMarker.tsx";
import type { Promised } from "../charts/plan/arrivals.ts";
import type { SuggestedContract } from "../generated/answers.d.ts";
import { identityIndices } from "../run/identity.ts";
import {
  type Contract,
  contractOf,
  contractPath,
  maxClasses,
  type NestedClass,
  sourceText,
  withOuterClass,
  withoutClass,
  withPromise,
  workloadsOf,
} from "../scenario/contracts.ts";
import { fieldAt } from "../scenario/schema.ts";
import { Button, IconButton } from "../ui/Button.tsx";
import { classIdentity } from "../ui/classes.ts";
import { useEffectiveScenario, useScenario, useSession } from "./context.tsx";
import { FieldTerm } from "./FieldTerm.tsx";
import { NumberField } from "./NumberField.tsx";
import { Panel } from "./Panel.tsx";
import { usePlan } from "./planner.ts";
import { TraceButton } from "./TraceButton.tsx";
import "./PlanPanels.css";

interface ContractsPanelProps {
  readonly tenant: number;
  readonly onTenant: (tenant: number) => void;
}

/** What every tenant is promised; that of the tenant which is looked at can be changed. */
export function ContractsPanel({ tenant, onTenant }: ContractsPanelProps) {
  const shown = useEffectiveScenario();
  const identities = identityIndices(shown.classes.map(({ name }) => name)).map(classIdentity);
  return (
    <Panel
      id="contracts"
      title="Contracts"
      note={shown.classes.length === 1 ? "1 tenant" : `${shown.classes.length} tenants`}
    >
      {shown.classes.map(({ name }, index) => {
        const identity = identities[index] ?? classIdentity(index);
        const open = index === tenant;
        return (
          <section key={name} className="contract" aria-label={`Contract of ${name}`}>
            <button
              type="button"
              className="class-name"
              style={{ color: identity.label }}
              aria-pressed={open}
              onClick={() => onTenant(index)}
            >
              <ClassMarker kindIndex={identity.index} />
              <span>{name}</span>
              <span className="note">{sourceText(shown, index)}</span>
            </button>
            {open ? (
              <ContractRows index={index} />
            ) : (
              <p className="row-note">{briefly(contractOf(shown, index))}</p>
            )}
          </section>
        );
      })}
    </Panel>
  );
}

const briefly = (contract: Contract): string =>
  contract.length === 0
    ? "Promised nothing."
    : contract
        .map(({ burst, rateIops, responseUs }) => `${burst} + ${rateIops}/s in ${formatDuration(responseUs)}`)
        .join("; ");

const COLUMNS = ["burst", "rateIops", "responseUs"] as const satisfies readonly (keyof NestedClass)[];

/** σ, ρ and δ of every nested class, and what the workload suggests in their place. */
function ContractRows({ index }: { readonly index: number }) {
  const session = useSession();
  const shown = useEffectiveScenario();
  const scenario = useScenario();
  const contract = contractOf(shown, index);
  const path = contractPath(index);
  const change = (next: Contract, choosing = false) =>
    session.change([{ path, value: next.length > 0 ? next : null }], choosing);
  const [workload] = workloadsOf(scenario, index);
  return (
    <div className="contract-rows">
      {contract.length > 0 ? (
        <table>
          <thead>
            <tr>
              <td />
              {COLUMNS.map((column) => (
                <th key={column} scope="col">
                  <FieldTerm path={`${path}[0].${column}`}>
                    {fieldAt(`${path}[0].${column}`, shown).title}
                  </FieldTerm>
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {contract.map((item, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a nested class is its place
              <tr key={at}>
                <th scope="row">{at + 1}</th>
                {COLUMNS.map((column) => (
                  <td key={column}>
                    <NumberField
                      label={`Class ${at + 1}, ${fieldAt(`${path}[${at}].${column}`, shown).title}`}
                      field={fieldAt(`${path}[${at}].${column}`, shown)}
                      value={item[column]}
                      showUnit={column === "responseUs"}
                      onCommit={(value, choosing) =>
                        value !== null && change(withPromise(contract, at, { [column]: value }), choosing)
                      }
                    />
                  </td>
                ))}
                <td>
                  <IconButton
                    icon="trash"
                    label={`Remove class ${at + 1}`}
                    onClick={() => change(withoutClass(contract, at))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <p className="row-note">Nothing is promised: its requests wait for all that is promised something.</p>
      )}
      <div className="contract-more">
        {contract.length < maxClasses(shown) && (
          <Button look="quiet" icon="plus" onClick={() => change(withOuterClass(contract))}>
            Add class
          </Button>
        )}
        {workload !== undefined && (
          <TraceButton
            label="Plan for a trace"
            onFile={(file) => session.run.setState({ offeredTrace: { file, workload } })}
          />
        )}
      </div>
      <Suggestion index={index} onUse={({ contract: { classes } }) => change(classes.map(promised))} />
    </div>
  );
}

/** The contract that follows from the workload, and what it takes. */
function Suggestion({
  index,
  onUse,
}: {
  readonly index: number;
  readonly onUse: (suggested: SuggestedContract) => void;
}) {
  const suggested = usePlan(({ suggestions }) => suggestions[index]);
  const hasRequests = usePlan(({ phase, tenants }) => phase === "ready" && tenants[index]?.requests !== 0);
  if (!hasRequests) return null;
  if (!suggested)
    return <p className="row-note">The workload is being looked at for a contract that suits it.</p>;
  const { fractions, contract } = suggested;
  const { classes, needIops, singleLevelIops } = contract;
  return (
    <section className="suggestion" aria-label="Suggested contract">
      <h3>Suggested by the workload</h3>
      <ul>
        {classes.map(({ burst, rateIops, responseUs }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a nested class is its place
          <li key={at}>
            <b>{shareText(fractions[at] ?? 0)}</b> within {formatDuration(responseUs)}: {fixed(burst, 0)} +{" "}
            {fixed(rateIops, 0)}/s
          </li>
        ))}
      </ul>
      <p className="row-note">
        Needs {fixed(needIops, 0)} requests/s; all within {formatDuration(classes[0]?.responseUs ?? 0)} would
        need {fixed(singleLevelIops, 0)}.
      </p>
      <Button onClick={() => onUse(suggested)}>Use it</Button>
    </section>
  );
}

/** What the document says of a class, of all that is known of it. */
const promised = ({ burst, rateIops, responseUs }: Promised): NestedClass => ({
  burst,
  rateIops,
  responseUs,
});

/** "99.9 %". */
const shareText = (share: number): string => `${Number((100 * share).toPrecision(6))}\u202f%`;
