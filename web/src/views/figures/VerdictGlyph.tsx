import type { FigureVerdict, Outcome } from "../../answers/figures.ts";
import { type Fill, FillGlyph } from "../../ui/FillGlyph.tsx";

const FILLS: Readonly<Record<FigureVerdict | Outcome, Fill>> = {
  reproduced: "full",
  inOrder: "half",
  not: "open",
  notReproduced: "open",
  missed: "open",
  unpublished: "dotted",
  arithmetic: "dotted",
  control: "dotted",
};

interface VerdictGlyphProps {
  readonly verdict: FigureVerdict | Outcome;
}

/** A verdict by its form: full, half, open, and dotted where nothing was published. Always beside words. */
export const VerdictGlyph = ({ verdict }: VerdictGlyphProps) => (
  <FillGlyph className="verdict-glyph" fill={FILLS[verdict]} />
);
