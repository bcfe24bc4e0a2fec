/** Something that the palette finds. */
export interface Entry {
  readonly kind: "Action" | "View" | "Setting" | "Scenario";
  readonly name: string;
  /** Stands beside it: its key, where it comes from. */
  readonly aside: string;
  /** Found by these words, too. */
  readonly more?: string;
  readonly run: () => void;
}

/** Most that are shown at a time. */
const SHOWN = 60;

/** The entries in which every word of a search stands; those whose name begins with it first. */
export function matching(entries: readonly Entry[], search: string): readonly Entry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const text = ({ kind, name, aside, more = "" }: Entry) => `${name} ${aside} ${more} ${kind}`.toLowerCase();
  const found = entries.filter((entry) => words.every((word) => text(entry).includes(word)));
  const rank = ({ name }: Entry) => {
    const own = name.toLowerCase();
    if (words.length === 0) return 0;
    if (own.startsWith(words[0] as string)) return 0;
    return words.every((word) => own.includes(word)) ? 1 : 2;
  };
  return found.toSorted((a, b) => rank(a) - rank(b)).slice(0, SHOWN);
}
