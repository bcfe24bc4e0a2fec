import { Fragment, type ReactNode } from "react";
import "./Markdown.css";

/**
 * The part of Markdown that docs use inside a section: paragraphs, lists, tables, fenced and other `code`, **bold**, *emphasis*, and links,
 * of which only those to other sites lead anywhere. Whatever else stands in the text is shown as it is.
 */
export function Markdown({ text }: { readonly text: string }) {
  // Fences and headings are blocks of their own, all others are parted by blank lines.
  const blocks = text.match(/^```[\s\S]*?^```$|^#+ .*|^.*\S.*(?:\n(?!```|#+ ).*\S.*)*/gm) ?? [];
  return (
    <div className="markdown">
      {blocks.map((block, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the text is as it is
        <Block key={i} lines={block.trim().split("\n")} />
      ))}
    </div>
  );
}

const cellsOf = (line: string) =>
  line
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());

function Block({ lines }: { readonly lines: readonly string[] }) {
  const [first = "", rule = ""] = lines;
  if (first.startsWith("```") && lines.at(-1) === "```") return <pre>{lines.slice(1, -1).join("\n")}</pre>;
  if (first.startsWith("|") && /^\|[-| :]+$/.test(rule)) return <Table lines={lines} />;
  if (lines.every((line) => /^(- | {2})/.test(line))) {
    const items = lines.join("\n").split(/\n?- /).filter(Boolean);
    return (
      <ul>
        {items.map((item) => (
          <li key={item}>{inline(item)}</li>
        ))}
      </ul>
    );
  }
  const [, level, heading = ""] = /^(#+) (.*)/.exec(first) ?? [];
  if (level === "#") return <h3>{inline(heading)}</h3>;
  return level ? <h4>{inline(heading)}</h4> : <p>{inline(lines.join(" "))}</p>;
}

function Table({ lines: [head = "", , ...rows] }: { readonly lines: readonly string[] }) {
  const headers = cellsOf(head);
  return (
    <section
      className="markdown-table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls with the keys
      tabIndex={0}
      aria-label={`Table of ${headers.filter(Boolean).join(", ")}`}
    >
      <table>
        <thead>
          <tr>
            {headers.map((cell) => (
              <th key={cell} scope="col">
                {inline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              {cellsOf(row).map((cell, i) => (
                <td key={headers[i]}>{inline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const INLINE = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

/** The words of a line with what is marked in it. */
function inline(text: string): ReactNode {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    parts.push(text.slice(from, match.index));
    from = match.index + match[0].length;
    const [, code, bold, emphasis, label, address] = match;
    if (code !== undefined) parts.push(<code>{code}</code>);
    else if (bold !== undefined) parts.push(<b>{bold}</b>);
    else if (emphasis !== undefined) parts.push(<em>{inline(emphasis)}</em>);
    else if (/^https:\/\//.test(address ?? ""))
      parts.push(
        <a href={address} rel="noopener noreferrer" target="_blank">
          {label}
        </a>,
      );
    else parts.push(label);
  }
  parts.push(text.slice(from));
  // biome-ignore lint/suspicious/noArrayIndexKey: the text is as it is
  return parts.map((part, i) => <Fragment key={i}>{part}</Fragment>);
}
