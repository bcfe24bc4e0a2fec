import type { MappedField } from "../../../engine/files/rackProtocol.ts";
import { MathSymbol } from "../../../ui/MathSymbol.tsx";
import { HowColumns } from "../../../workbench/rack/HowColumns.tsx";
import { ClassName } from "./ClassName.tsx";
import type { Rack } from "./useRack.ts";

interface MappedFieldsProps {
  readonly fields: readonly MappedField[];
  readonly targets: Rack["targets"];
  /** Shows another target. */
  readonly onChoose: (target: string) => void;
}

/** What became of every field. */
export const MappedFields = ({ fields, targets, onChoose }: MappedFieldsProps) => (
  <HowColumns
    label="What became of every field"
    what="fields"
    items={fields.map(({ title, symbol, path, from, to, how, why, see }) => ({
      key: `${path} ${to}`,
      how,
      title: (
        <>
          <ClassOf path={path} />
          {title}
          {symbol && <MathSymbol>{symbol}</MathSymbol>}
        </>
      ),
      place: path,
      from,
      to,
      why: (
        <>
          {why}
          <See id={see} targets={targets} onChoose={onChoose} />
        </>
      ),
    }))}
  />
);

/** The class that a field is of, if it is of one. */
function ClassOf({ path }: { readonly path: string }) {
  const [, at] = /^classes\[(\d+)\]/.exec(path) ?? [];
  return (
    at !== undefined && (
      <>
        <ClassName at={Number(at)} />{" "}
      </>
    )
  );
}

interface SeeProps extends Pick<MappedFieldsProps, "targets" | "onChoose"> {
  readonly id: string | undefined;
}

/** The target that takes what this one does not. */
function See({ id, targets, onChoose }: SeeProps) {
  const target = targets.find((one) => one.id === id);
  return (
    target && (
      <>
        {" "}
        See{" "}
        <button type="button" className="link" onClick={() => onChoose(target.id)}>
          {target.title}
        </button>
        .
      </>
    )
  );
}
