import type { FigureRow, RowOutcome, Tally } from "../generated/answers.d.ts";

/** What a figure as a whole came to: the worst of what was published of it; nothing where only controls are in it. */
export type FigureVerdict = "reproduced" | "inOrder" | "not" | "unpublished";

export type Counts = Omit<Tally, "paper">;

const PLACES: Readonly<Record<RowOutcome, keyof Counts>> = {
  reproduced: "reproduced",
  inOrder: "inOrder",
  arithmetic: "arithmetic",
  control: "controls",
  notReproduced: "not",
  missed: "not",
};

/** How many of these rows came to what. */
export function countsOf(rows: readonly FigureRow[]): Counts {
  const counts = { reproduced: 0, inOrder: 0, not: 0, arithmetic: 0, controls: 0 };
  for (const { outcome } of rows) counts[PLACES[outcome]]++;
  return counts;
}

/** The counts of several papers together. */
export function sumOf(tally: readonly Counts[]): Counts {
  const sum = (of: keyof Counts) => tally.reduce((total, item) => total + item[of], 0);
  return {
    reproduced: sum("reproduced"),
    inOrder: sum("inOrder"),
    not: sum("not"),
    arithmetic: sum("arithmetic"),
    controls: sum("controls"),
  };
}

/** Rows that hold ours against something published. */
export const publishedOf = ({ reproduced, inOrder, not }: Counts): number => reproduced + inOrder + not;

export function verdictOf(counts: Counts): FigureVerdict {
  if (counts.not > 0) return "not";
  if (counts.inOrder > 0) return "inOrder";
  return counts.reproduced > 0 ? "reproduced" : "unpublished";
}

/** "6 of 8 rows reproduced, 1 in order only, 1 not" */
export function countsText(counts: Counts): string {
  const { reproduced, inOrder, not, arithmetic, controls } = counts;
  const all = publishedOf(counts);
  if (all === 0) {
    const parts = [
      arithmetic > 0 && `${rowsText(arithmetic)} of arithmetic`,
      controls > 0 && (controls === 1 ? "1 control" : `${controls} controls`),
    ].filter(Boolean);
    return `Nothing published to compare with: ${parts.join(", ")}`;
  }
  const first = reproduced === all && all > 1 ? `All ${all} rows` : `${reproduced} of ${rowsText(all)}`;
  return [`${first} reproduced`, inOrder > 0 && `${inOrder} in order only`, not > 0 && `${not} not`]
    .filter(Boolean)
    .join(", ");
}

export const rowsText = (count: number): string => (count === 1 ? "1 row" : `${count} rows`);

/** The paper or the simulator of a source: "Paper 1" of "Paper 1, fig. 12a". */
export const paperOf = (source: string): string => source.replace(/[,(].*$/, "").trim();

/** Causes of rows that are not reproduced, each once. */
export const causesOf = (rows: readonly FigureRow[]): readonly string[] => [
  ...new Set(rows.flatMap(({ cause }) => cause ?? [])),
];

/** The rows that a card has room for: what was published first, and of those that are not reproduced one at least. */
export function rowsThatMatter(rows: readonly FigureRow[], room: number): readonly FigureRow[] {
  const rank = (row: FigureRow) => (publishedOf(countsOf([row])) > 0 ? 0 : 1);
  const first = rows.toSorted((a, b) => rank(a) - rank(b)).slice(0, room);
  const isNot = (row: FigureRow) => countsOf([row]).not > 0;
  const worst = rows.find(isNot);
  return worst && !first.some(isNot) ? [...first.slice(0, room - 1), worst] : first;
}
