import { type ReactNode, useId } from "react";
import { TextField } from "../ui/TextField.tsx";
import { Fault, faultOf, useRefusal } from "./Fault.tsx";
import { hoverHint } from "./ParameterRow.tsx";
import type { Draft } from "./useDraft.ts";

interface TextRowProps {
  /** Path of the field. */
  readonly path: string;
  readonly title: string;
  readonly draft: Draft;
  /** Whole texts that are offered to complete what is typed. */
  readonly completions?: readonly string[];
  readonly children?: ReactNode;
}

/** A row of the settings whose value is written as a text; below it what is wrong with that. */
export function TextRow({ path, title, draft, completions = [], children }: TextRowProps) {
  const id = useId();
  const refusal = useRefusal(path, title);
  const sentence = draft.fault ?? refusal;
  return (
    <div className="row text-row" data-path={path}>
      <div className="row-main">
        <label className="row-label" htmlFor={id} {...hoverHint(path)}>
          {title}
        </label>
        <TextField
          id={id}
          list={`${id}-completions`}
          spellCheck={false}
          {...faultOf(`${id}-fault`, sentence)}
          {...draft.input}
        />
        <datalist id={`${id}-completions`}>
          {completions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      </div>
      <Fault id={`${id}-fault`} sentence={sentence} />
      {children}
    </div>
  );
}
