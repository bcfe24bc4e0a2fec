import { valueAt } from "../scenario/schema.ts";
import { type ParameterGroup, parameterGroups, pathsOf } from "../scenario/transports.ts";
import type { TransportKind } from "../scenario/types.ts";
import { useEffectiveScenario } from "./context.tsx";
import { Disclosure } from "./Disclosure.tsx";
import { ParameterRow } from "./ParameterRow.tsx";

interface TransportRowsProps {
  /** The class whose parameters these are, `classes[1]`; `transport` for all classes that use each. */
  readonly prefix: string;
  readonly transports: readonly TransportKind[];
}

/** The parameters that matter for some transports, and no others. Long lists are folded away. */
export function TransportRows({ prefix, transports }: TransportRowsProps) {
  const shown = useEffectiveScenario();
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
  const shown = useEffectiveScenario();
  const first = (name: string) => pathsOf(`${prefix}.${name}`, shown)[0] ?? "";
  const off = group.lead !== null && valueAt(shown, first(group.lead)) === false;
  return (
    <>
      {group.lead && <ParameterRow path={`${prefix}.${group.lead}`} />}
      {!off && (
        <Disclosure title={`${group.title} parameters`}>
          {group.rest.map((name) => (
            <ParameterRow key={name} path={`${prefix}.${name}`} />
          ))}
        </Disclosure>
      )}
    </>
  );
}
