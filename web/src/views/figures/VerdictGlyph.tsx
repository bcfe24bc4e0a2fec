import type { FigureVerdict, Outcome } from "../../run/figures.ts";

const OF_ROW: Readonly<Record<Outcome, FigureVerdict>> = {
  reproduced: "reproduced",
  inOrder: "inOrder",
  arithmetic: "unpublished",
  control: "unpublished",
  notReproduced: "not",
  missed: "not",
};

interface VerdictGlyphProps {
  readonly verdict: FigureVerdict | Outcome;
}

/** A verdict by its form: full, half, open, and dotted where nothing was published. Always beside words. */
export function VerdictGlyph({ verdict }: VerdictGlyphProps) {
  const kind = verdict in OF_ROW ? OF_ROW[verdict as Outcome] : verdict;
  return (
    <svg className="verdict-glyph" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <circle
        cx="6"
        cy="6"
        r="4.25"
        fill={kind === "reproduced" ? "currentColor" : "none"}
        stroke="currentColor"
        strokeWidth="1.5"
        strokeDasharray={kind === "unpublished" ? "1.5 2" : undefined}
      />
      {kind === "inOrder" && <path d="M6 1.75a4.25 4.25 0 0 0 0 8.5z" fill="currentColor" />}
    </svg>
  );
}
