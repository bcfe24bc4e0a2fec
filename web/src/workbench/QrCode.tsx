import qrcode from "qrcode-generator";
import { useMemo } from "react";

/** Most bytes that a QR code holds: version 40 at the lowest error correction (ISO/IEC 18004, table 7). */
export const QR_LIMIT = 2953;

/** Light modules around the dark ones. */
const QUIET = 4;

/** A text that a camera reads, dark on light in any theme. Of at most `QR_LIMIT` bytes. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = useMemo(() => modulesOf(text), [text]);
  return (
    <svg
      className="qr-code"
      role="img"
      aria-label={label}
      viewBox={`${-QUIET} ${-QUIET} ${size + 2 * QUIET} ${size + 2 * QUIET}`}
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET} y={-QUIET} width={size + 2 * QUIET} height={size + 2 * QUIET} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** The dark modules of a text, as strips of a row each; the smallest code that holds it. */
export function modulesOf(text: string): { readonly size: number; readonly path: string } {
  const code = qrcode(0, "L");
  code.addData(text, "Byte");
  code.make();
  const size = code.getModuleCount();
  let path = "";
  for (let row = 0; row < size; row++) {
    for (let from = 0; from < size; from++) {
      let to = from;
      while (to < size && code.isDark(row, to)) to++;
      if (to > from) path += `M${from} ${row}h${to - from}v1h${from - to}z`;
      from = to;
    }
  }
  return { size, path };
}
