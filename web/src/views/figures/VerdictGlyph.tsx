import type { FigureVerdict } from "../../answers/figures.ts";
import type { RowOutcome } from "../../generated/answers.d.ts";
import { type Fill, FillGlyph } from "../../ui/FillGlyph.tsx";

const FILLS: Readonly<Record<FigureVerdict | RowOutcome, Fill>> = {
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
  readonly verdict: FigureVerdict | RowOutcome;
}

/** A verdict by its form: full, half, open, and dotted where nothing was published. Always beside words. */
export const VerdictGlyph = ({ verdict }: VerdictGlyphProps) => (
  <FillGlyph className="verdict-glyph" fill={FILLS[verdict]} />
);
