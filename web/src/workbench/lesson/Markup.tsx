import { Fragment, type ReactNode } from "react";
import { MathSymbol } from "../../ui/MathSymbol.tsx";

/** Text of a lesson: paragraphs and lists, with what is bold and what is a symbol. */
export function Markup({ text }: { readonly text: string }) {
  return text
    .trim()
    .split(/\n\s*\n/)
    .flatMap(blocks)
    .map((block, at) => {
      // biome-ignore lint/suspicious/noArrayIndexKey: blocks stand in their order
      if (typeof block === "string") return block === "" ? null : <p key={at}>{inline(block)}</p>;
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <ul key={at}>
          {block.map((item, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <li key={i}>{inline(item)}</li>
          ))}
        </ul>
      );
    });
}

/** A title or an option: one line. */
export const Line = ({ text }: { readonly text: string }) => inline(text);

/** A paragraph, or the items of a list; lines that do not begin an item go on with the one before. */
function blocks(text: string): (string | string[])[] {
  const found: (string | string[])[] = [];
  for (const line of text.split("\n")) {
    const last = found.at(-1);
    if (line.startsWith("- ")) {
      if (Array.isArray(last)) last.push(line.slice(2));
      else found.push([line.slice(2)]);
    } else if (Array.isArray(last)) last[last.length - 1] += ` ${line.trim()}`;
    else if (last === undefined) found.push(line.trim());
    else found[found.length - 1] = `${last} ${line.trim()}`;
  }
  return found;
}

/** `**bold**` and `*symbol*`. */
function inline(text: string): ReactNode {
  return text.split(/(\*\*.+?\*\*(?!\*)|\*[^*\s][^*]*\*)/).map((part, at) => {
    const key = `${at}`;
    if (part.startsWith("**") && part.length > 4) return <b key={key}>{inline(part.slice(2, -2))}</b>;
    if (part.startsWith("*") && part.length > 2)
      return <MathSymbol key={key}>{part.slice(1, -1)}</MathSymbol>;
    return <Fragment key={key}>{part}</Fragment>;
  });
}

/** The same without any marks, for where text alone can stand. */
export const plain = (text: string): string => text.replace(/\*+([^*]+)\*+/g, "$1");
