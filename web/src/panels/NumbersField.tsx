import { TextRow } from "./TextRow.tsx";
import { useDraft } from "./useDraft.ts";

interface NumbersFieldProps {
  /** Path of the field. */
  readonly path: string;
  readonly title: string;
  /** Groups of numbers: single ones, or pairs. */
  readonly groups: readonly (readonly number[])[];
  /** Numbers in a group. */
  readonly size: number;
  readonly onCommit: (groups: readonly (readonly number[])[]) => void;
}

/** A list of numbers, or of pairs of them, as a text: commas between entries, blanks in them. */
export function NumbersField({ path, title, groups, size, onCommit }: NumbersFieldProps) {
  const text = groups.map((group) => group.join(" ")).join(", ");
  const take = (typed: string) => {
    const entries = typed.split(",").map((entry) => entry.trim().split(/\s+/).map(Number));
    const wrong = entries.findIndex((group) => group.length !== size || !group.every(Number.isFinite));
    if (typed.trim() === "" || wrong >= 0) {
      const what = size === 1 ? "a number" : `${size} numbers with a blank between them`;
      return `Entry ${Math.max(0, wrong) + 1} is not ${what}. Write entries between commas.`;
    }
    if (typed.trim() !== text) onCommit(entries);
    return null;
  };
  return <TextRow path={path} title={title} draft={useDraft({ text, take })} />;
}
