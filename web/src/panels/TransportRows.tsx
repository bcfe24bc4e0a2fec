import { dcqcnSetOf, dcqcnValue, NO_BYTE_COUNTER } from "../scenario/dcqcn.ts";
import { valueAt } from "../scenario/schema.ts";
import { type ParameterGroup, parameterGroups, pathsOf } from "../scenario/transports.ts";
import type { Scenario, TransportKind } from "../scenario/types.ts";
import { useRun, useShown } from "./context.tsx";
import { Fold } from "./Fold.tsx";
import { ParameterRow } from "./ParameterRow.tsx";

interface TransportRowsProps {
  /** The class whose parameters these are, `classes[1]`; `transport` for all classes that use each. */
  readonly prefix: string;
  readonly transports: readonly TransportKind[];
}

/** The parameters that matter for some transports, and no others. Long lists are folded away. */
export function TransportRows({ prefix, transports }: TransportRowsProps) {
  const shown = useShown();
  return (
    <>
      {parameterGroups(shown, transports).map((group) =>
        group.kind === "field" ? (
          <ParameterRow key={group.name} path={`${prefix}.${group.name}`} />
        ) : (
          <ObjectRows key={group.title} prefix={prefix} group={group} />
        ),
      )}
    </>
  );
}

/** What leads an object of parameters, then the rest under a fold; nothing more where the leader is switched off. */
function ObjectRows({
  prefix,
  group,
}: {
  readonly prefix: string;
  readonly group: ParameterGroup & { readonly kind: "object" };
}) {
  const shown = useShown();
  const linkGbps = useRun((run) => run.view?.layout.graph.links[0]?.gbps) ?? shown.topology.linkGbps ?? 100;
  const baseRttUs = useRun((run) => run.view?.layout.baseRttUs);
  const off =
    group.lead !== null && valueAt(shown, pathsOf(`${prefix}.${group.lead}`, shown)[0] ?? "") === false;
  const fallback = (name: string) =>
    fallbackOf(shown, pathsOf(`${prefix}.${name}`, shown)[0] ?? "", linkGbps, baseRttUs);
  return (
    <>
      {group.lead && (
        <ParameterRow path={`${prefix}.${group.lead}`} title={LEAD_TITLES[group.lead] ?? group.title} />
      )}
      {!off && (
        <Fold title={`${group.title} parameters`}>
          {group.rest.map((name) => {
            const value = fallback(name);
            const counts = name !== "dcqcn.byteCounterBytes" || value !== NO_BYTE_COUNTER;
            return (
              <ParameterRow
                key={name}
                path={`${prefix}.${name}`}
                {...(counts ? { fallback: value } : { placeholder: "off" })}
              />
            );
          })}
        </Fold>
      )}
    </>
  );
}

/** Outside of their object, fields need its name. */
const LEAD_TITLES: Readonly<Record<string, string>> = {
  "dcqcn.set": "DCQCN set",
  "dirs.enabled": "Initial rates by DIRS",
};

/** What holds while a field is empty, where it can be told. */
function fallbackOf(
  document: Scenario,
  path: string,
  linkGbps: number,
  baseRttUs: number | undefined,
): number | boolean | undefined {
  const [, item, object, name] = /^(classes\[\d+\])\.(\w+)\.(\w+)$/.exec(path) ?? [];
  if (item === undefined || name === undefined) return undefined;
  const set = dcqcnSetOf(document, `${item}.dcqcn.set`);
  if (object === "dcqcn") return dcqcnValue(set, name, linkGbps);
  if (object === "timely") return name === "leastRttUs" ? baseRttUs : undefined;
  const timer =
    valueAt(document, `${item}.dcqcn.increaseTimerUs`) ?? dcqcnValue(set, "increaseTimerUs", linkGbps);
  const recovery = valueAt(document, `${item}.dirs.recoveryUs`) ?? timer;
  if (name === "recoveryUs") return Number(timer);
  return name === "resetUs" ? 5 * Number(recovery) : undefined;
}
