import { useState } from "react";
import { HOWS, type MappedField } from "../../../engine/rackProtocol.ts";
import { Button } from "../../../ui/Button.tsx";
import { MathSymbol } from "../../../ui/MathSymbol.tsx";
import { ClassName } from "./ClassName.tsx";
import { HOW_TITLES, HowGlyph } from "./Hows.tsx";
import type { Rack } from "./useRack.ts";

/** Fields of a kind that are seen at first: the files below are what most come for. */
const FIRST = 2;

interface MappedFieldsProps {
  readonly fields: readonly MappedField[];
  readonly targets: Rack["targets"];
  /** Shows another target. */
  readonly onChoose: (target: string) => void;
}

/** What became of every field: exactly, roughly, not at all, side by side. */
export function MappedFields({ fields, targets, onChoose }: MappedFieldsProps) {
  const [all, setAll] = useState(false);
  const columns = HOWS.map((how) => [how, fields.filter((field) => field.how === how)] as const);
  const isLong = columns.some(([, own]) => own.length > FIRST);
  return (
    <section className="rack-fields" aria-label="What became of every field">
      {columns.map(([how, own]) => (
        <div key={how}>
          <h4>
            <HowGlyph how={how} /> {HOW_TITLES[how]}{" "}
            {own.length > 0 && <span className="note">{own.length}</span>}
          </h4>
          {own.length === 0 && <p className="note">None.</p>}
          <dl>
            {(all ? own : own.slice(0, FIRST)).map((field) => (
              <div key={`${field.path} ${field.to}`}>
                <dt title={field.path}>
                  <ClassOf path={field.path} />
                  {field.title}
                  {field.symbol && <MathSymbol>{field.symbol}</MathSymbol>}
                </dt>
                <dd>
                  {field.from}
                  {field.to !== "" && (
                    <>
                      {" "}
                      → <b>{field.to}</b>
                    </>
                  )}
                </dd>
                <dd className="note">
                  {field.why}
                  <See id={field.see} targets={targets} onChoose={onChoose} />
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
      {isLong && (
        <p>
          <Button look="link" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show fewer" : `Show all ${fields.length} fields`}
          </Button>
        </p>
      )}
    </section>
  );
}

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
