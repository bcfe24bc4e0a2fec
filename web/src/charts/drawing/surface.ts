import { THIN } from "./format.ts";
import type { Theme } from "./theme.ts";

/** The paths of a drawing. */
export interface Paths {
  begin(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  rect(x: number, y: number, width: number, height: number, radius?: number): void;
  circle(x: number, y: number, radius: number): void;
  ellipse(x: number, y: number, radiusX: number, radiusY: number, fromAngle: number, toAngle: number): void;
  closePath(): void;
  stroke(style: StrokeStyle): void;
  fill(colour: string, opacity?: number): void;
  /** Clips what `draw` draws to a rectangle (not text). */
  clipped(x: number, y: number, width: number, height: number, draw: () => void): void;
}

/**
 * What a chart draws on. The same drawing code goes to the screen (paths on a canvas, text as SVG above it, so that
 * digits are tabular and text stays sharp) and into an exported SVG file.
 */
export interface Surface extends Paths {
  text(runs: TextRun | readonly TextRun[], x: number, y: number, options?: TextOptions): void;
}

export interface StrokeStyle {
  readonly colour: string;
  readonly width: number;
  readonly dash?: readonly number[];
  readonly opacity?: number;
  readonly join?: "round" | "miter";
}

/** A stretch of text of one look. */
export interface TextRun {
  readonly text: string;
  readonly colour: string;
  readonly bold?: boolean;
  /** A paper's symbol: serif italic. */
  readonly symbol?: boolean;
  /** Pixels before the run. */
  readonly gap?: number;
  /** The whole text, where this is a shortened one: shown under the pointer. */
  readonly full?: string;
}

export interface TextOptions {
  readonly size?: number;
  readonly align?: "start" | "middle" | "end";
  /** Colour of a 3 px halo that keeps text legible over lines. */
  readonly halo?: string;
}

/** Draws paths on a canvas context. Text is left to the layer of the caller. */
export class CanvasPaths implements Paths {
  constructor(private readonly context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D) {}

  begin() {
    this.context.beginPath();
  }
  moveTo(x: number, y: number) {
    this.context.moveTo(x, y);
  }
  lineTo(x: number, y: number) {
    this.context.lineTo(x, y);
  }
  rect(x: number, y: number, width: number, height: number, radius = 0) {
    if (radius > 0) this.context.roundRect(x, y, width, height, radius);
    else this.context.rect(x, y, width, height);
  }
  circle(x: number, y: number, radius: number) {
    this.context.moveTo(x + radius, y);
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
  }
  ellipse(x: number, y: number, radiusX: number, radiusY: number, fromAngle: number, toAngle: number) {
    this.context.ellipse(x, y, radiusX, radiusY, 0, fromAngle, toAngle);
  }
  closePath() {
    this.context.closePath();
  }
  stroke({ colour, width, dash, opacity = 1, join = "miter" }: StrokeStyle) {
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.setLineDash((dash as number[] | undefined) ?? []);
    context.globalAlpha = opacity;
    context.lineJoin = join;
    context.stroke();
    context.globalAlpha = 1;
  }
  fill(colour: string, opacity = 1) {
    this.context.globalAlpha = opacity;
    this.context.fillStyle = colour;
    this.context.fill();
    this.context.globalAlpha = 1;
  }
  clipped(x: number, y: number, width: number, height: number, draw: () => void) {
    this.clip(x, y, width, height);
    draw();
    this.unclip();
  }
  /** From here to `unclip` everything is clipped to a rectangle. */
  clip(x: number, y: number, width: number, height: number) {
    this.context.save();
    this.context.beginPath();
    this.context.rect(x, y, width, height);
    this.context.clip();
  }
  unclip() {
    this.context.restore();
  }
}

const SVG = "http://www.w3.org/2000/svg";

const number = (value: number) => String(Math.round(value * 100) / 100);
const escapeXml = (text: string) =>
  text.replace(/[&<>"]/g, (c) => (c === "&" ? "&amp;" : c === "<" ? "&lt;" : c === ">" ? "&gt;" : "&quot;"));

/** Surface that writes an SVG document. */
export class SvgSurface implements Surface {
  private readonly parts: string[] = [];
  private path = "";
  private clips = 0;

  /** `prefix` is that of names in the picture: those of pictures in one document must differ. */
  constructor(
    private readonly theme: Pick<Theme, "font" | "symbolFont">,
    private readonly prefix = "",
  ) {}

  begin() {
    this.path = "";
  }
  moveTo(x: number, y: number) {
    this.path += `M${number(x)} ${number(y)}`;
  }
  lineTo(x: number, y: number) {
    this.path += `L${number(x)} ${number(y)}`;
  }
  rect(x: number, y: number, width: number, height: number, radius = 0) {
    const r = Math.min(radius, width / 2, height / 2);
    const corner = (dx: number, dy: number) =>
      r > 0 ? `a${number(r)} ${number(r)} 0 0 1 ${number(dx)} ${number(dy)}` : "";
    this.path +=
      `M${number(x + r)} ${number(y)}h${number(width - 2 * r)}${corner(r, r)}v${number(height - 2 * r)}${corner(-r, r)}` +
      `h${number(2 * r - width)}${corner(-r, -r)}v${number(2 * r - height)}${corner(r, -r)}z`;
  }
  circle(x: number, y: number, radius: number) {
    const r = number(radius);
    this.path += `M${number(x + radius)} ${number(y)}a${r} ${r} 0 1 1 ${number(-2 * radius)} 0a${r} ${r} 0 1 1 ${number(2 * radius)} 0z`;
  }
  ellipse(x: number, y: number, radiusX: number, radiusY: number, fromAngle: number, toAngle: number) {
    const at = (angle: number) =>
      `${number(x + radiusX * Math.cos(angle))} ${number(y + radiusY * Math.sin(angle))}`;
    const start = this.path === "" ? "M" : "L";
    const middle = (fromAngle + toAngle) / 2;
    const arc = `A${number(radiusX)} ${number(radiusY)} 0 0 1 `;
    this.path += `${start}${at(fromAngle)}${arc}${at(middle)}${arc}${at(toAngle)}`;
  }
  closePath() {
    this.path += "z";
  }
  stroke({ colour, width, dash, opacity = 1, join = "miter" }: StrokeStyle) {
    if (this.path === "") return;
    const dashes = dash && dash.length > 0 ? ` stroke-dasharray="${dash.join(" ")}"` : "";
    const alpha = opacity === 1 ? "" : ` stroke-opacity="${number(opacity)}"`;
    this.parts.push(
      `<path d="${this.path}" fill="none" stroke="${colour}" stroke-width="${number(width)}" stroke-linejoin="${join}"${dashes}${alpha}/>`,
    );
  }
  fill(colour: string, opacity = 1) {
    if (this.path === "") return;
    const alpha = opacity === 1 ? "" : ` fill-opacity="${number(opacity)}"`;
    this.parts.push(`<path d="${this.path}" fill="${colour}"${alpha}/>`);
  }
  clipped(x: number, y: number, width: number, height: number, draw: () => void) {
    const id = `${this.prefix}clip-${this.clips++}`;
    this.parts.push(
      `<clipPath id="${id}"><rect x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"/></clipPath><g clip-path="url(#${id})">`,
    );
    draw();
    this.parts.push("</g>");
  }
  text(runs: TextRun | readonly TextRun[], x: number, y: number, options: TextOptions = {}) {
    const list = Array.isArray(runs) ? (runs as readonly TextRun[]) : [runs as TextRun];
    const { size = 11, align = "start", halo } = options;
    const spans = list.map((run) => {
      const weight = run.bold ? ' font-weight="600"' : "";
      const symbol = run.symbol
        ? ` font-family="${escapeXml(this.theme.symbolFont)}" font-style="italic"`
        : "";
      const gap = run.gap ? ` dx="${run.gap}"` : "";
      return `<tspan fill="${run.colour}"${weight}${symbol}${gap}>${escapeXml(run.text)}</tspan>`;
    });
    const edge = halo
      ? ` stroke="${halo}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"`
      : "";
    this.parts.push(
      `<text x="${number(x)}" y="${number(y)}" font-size="${size}" text-anchor="${align}"${edge}>${spans.join("")}</text>`,
    );
  }

  /** Path data since the last `begin`. */
  get currentPath(): string {
    return this.path;
  }

  /** The picture alone, for a page that has the font and says what it shows. */
  picture(width: number, height: number): string {
    return `<svg xmlns="${SVG}" viewBox="0 0 ${width} ${height}" aria-hidden="true">${this.parts.join("")}</svg>`;
  }

  /** The whole document with a background, a title for readers and a footer that states its origin. */
  document(width: number, height: number, background: string, title: string, description: string): string {
    return (
      `<svg xmlns="${SVG}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" ` +
      `font-family="${escapeXml(this.theme.font)}" style="font-variant-numeric:tabular-nums">` +
      `<title>${escapeXml(title)}</title><desc>${escapeXml(description)}</desc>` +
      `<rect width="${width}" height="${height}" fill="${background}"/>${this.parts.join("")}</svg>\n`
    );
  }
}

let ruler: CanvasRenderingContext2D | null | undefined;
const widths = new Map<string, number>();

/** The fonts have changed: measures anew. */
export function forgetWidths(): void {
  widths.clear();
}

/** Width of a text in pixels; an estimate where there is no document (tests, workers). */
export function textWidth(text: string, theme: Pick<Theme, "font">, size = 11, bold = false): number {
  if (ruler === undefined) {
    ruler = typeof document === "undefined" ? null : document.createElement("canvas").getContext("2d");
  }
  if (!ruler) return text.replaceAll(THIN, "").length * size * 0.56;
  const key = `${size}${bold}${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size > 2000) widths.clear();
    ruler.font = `${bold ? 600 : 400} ${size}px ${theme.font}`;
    width = ruler.measureText(text).width;
    widths.set(key, width);
  }
  return width;
}
