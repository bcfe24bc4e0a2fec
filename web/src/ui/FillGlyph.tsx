export type Fill = "full" | "half" | "open" | "dotted";

interface FillGlyphProps {
  readonly fill: Fill;
  readonly className?: string;
}

/** A verdict by its form: a disc, half of one, its edge, and a dotted one where there is none. Always beside words. */
export function FillGlyph({ fill, className = "" }: FillGlyphProps) {
  return (
    <svg className={`fill-glyph ${className}`} width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <circle
        cx="6"
        cy="6"
        r="4.25"
        fill={fill === "full" ? "currentColor" : "none"}
        stroke="currentColor"
        strokeWidth="1.5"
        strokeDasharray={fill === "dotted" ? "1.5 2" : undefined}
      />
      {fill === "half" && <path d="M6 1.75a4.25 4.25 0 0 0 0 8.5z" fill="currentColor" />}
    </svg>
  );
}
