import { useState } from "react";
import { fixed } from "../../../charts/drawing/format.ts";
import type { LineMark, RackFile } from "../../../engine/files/rackProtocol.ts";
import { Button } from "../../../ui/Button.tsx";
import { ClassName } from "./ClassName.tsx";

/** Lines that are seen at first, and most that the page draws: of what is longer, the file has the rest. */
const FIRST = 22;
const MOST = 2000;

/** A file line by line; beside each line that comes from the scenario stands from what. */
export function FileText({ file }: { readonly file: RackFile }) {
  const [all, setAll] = useState(false);
  const lines = file.text.replace(/\n$/, "").split("\n");
  const shown = Math.min(lines.length, all ? MOST : FIRST);
  const marks = new Map(file.marks.map((mark) => [mark.line, mark]));
  return (
    <section className="rack-file" aria-label={file.name}>
      <header>
        <h4>{file.name}</h4>
        <p className="note">
          {file.about}
          {file.marks.length > 0 && "; marked lines come from this scenario"}
        </p>
        {lines.length > FIRST && (
          <p className="note">
            {shown < lines.length
              ? `first ${fixed(shown, 0)} of ${fixed(lines.length, 0)} lines`
              : `${fixed(lines.length, 0)} lines`}{" "}
            <Button look="link" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? "Show fewer" : "Show all"}
            </Button>
          </p>
        )}
      </header>
      <ol>
        {lines.slice(0, shown).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
          <Line key={at} line={line} mark={marks.get(at + 1)} />
        ))}
      </ol>
      {all && shown < lines.length && (
        <p className="note">The file that you save has all {fixed(lines.length, 0)} lines.</p>
      )}
    </section>
  );
}

function Line({ line, mark }: { readonly line: string; readonly mark: LineMark | undefined }) {
  return (
    <li className={mark && "rack-marked"}>
      <code>{line || " "}</code>
      {mark && (
        <span className="note">
          {mark.class !== undefined && <ClassName at={mark.class} />} {mark.says}
        </span>
      )}
    </li>
  );
}
