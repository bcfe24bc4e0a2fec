import inter from "../../styles/fonts/inter.woff2";
import { type Surface, SvgSurface } from "../drawing/surface.ts";
import { currentTheme, type Theme } from "../drawing/theme.ts";
import { wrapped } from "../notes/notes.ts";
import type { ExportStamp } from "../types.ts";

/** What can be saved as a table. */
export interface Tabular {
  readonly title: string;
  /** Names of the columns, with their units. */
  readonly headers: readonly string[];
  readonly rows: Iterable<readonly (number | string)[]>;
  /** What is noted of it, a line each. */
  readonly notes?: readonly string[];
}

/** What is given column by column. */
export interface ColumnTable<V = Float64Array | readonly string[]> {
  readonly title: string;
  /** Names have their units; all columns are equally long. */
  readonly columns: readonly { readonly name: string; readonly values: V }[];
  /** What is noted of the run, a line each. */
  readonly notes?: readonly string[];
}

/** What is all numbers, column by column. */
export type NumberTable = ColumnTable<Float64Array>;

/** The same table, row by row. */
export function rowsOf({ title, columns, notes }: ColumnTable): Tabular {
  const length = columns[0]?.values.length ?? 0;
  return {
    title,
    ...(notes && { notes }),
    headers: columns.map(({ name }) => name),
    rows: Array.from({ length }, (_, i) => columns.map(({ values }) => values[i] as number | string)),
  };
}

/** A chart that can be saved: its data, and its picture. */
export interface Exportable extends Tabular {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  draw(surface: Surface, theme: Theme): void;
}

/** Where a file comes from, in one line. */
export function stampLine(stamp: ExportStamp): string {
  return `${stamp.scenario}; scenario hash ${stamp.hash}; seed ${stamp.seed}; QoScope engine ${stamp.engineVersion}`;
}

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Number for machines: no grouping, empty where it does not apply. */
const plain = (value: number) => (Number.isFinite(value) ? String(Number(value.toPrecision(9))) : "");

/** CSV (RFC 4180 rows) under comment lines that state the origin and what is noted. */
export function toCsv({ title, headers, rows, notes = [] }: Tabular, stamp: ExportStamp): string {
  const comments = [title, stampLine(stamp), ...notes].map((line) => `# ${line}`);
  const lines = [...comments, headers.map(quoted).join(",")];
  for (const row of rows) {
    lines.push(row.map((cell) => (typeof cell === "number" ? plain(cell) : quoted(cell))).join(","));
  }
  return `${lines.join("\n")}\n`;
}

const FOOTER = 24;

/** Height of a line of notes, and the margin beside them. */
const NOTE = { line: 16, margin: 16 };

/** SVG document of a chart with its notes and a footer that states the origin. */
export function toSvg(chart: Exportable, stamp: ExportStamp, theme: Theme = currentTheme()): string {
  const { title, width, height, notes = [] } = chart;
  const surface = new SvgSurface(theme);
  chart.draw(surface, theme);
  const lines = notes.flatMap((note) => wrapped(note, theme, width - 2 * NOTE.margin));
  lines.forEach((text, i) => {
    surface.text({ text, colour: theme.t2 }, NOTE.margin, height + 14 + i * NOTE.line);
  });
  const below = height + lines.length * NOTE.line;
  surface.text({ text: stampLine(stamp), colour: theme.t3 }, NOTE.margin, below + 14);
  return surface.document(width, below + FOOTER, theme.bg, title, stampLine(stamp));
}

/** An SVG document with the font inside: as an image it reaches nothing outside of itself. */
async function withFont(svg: string): Promise<string> {
  const bytes = new Uint8Array(await (await fetch(inter)).arrayBuffer());
  const data = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const source = `url(data:font/woff2;base64,${data})`;
  return svg.replace(">", `><style>@font-face{font-family:Inter;font-weight:400 600;src:${source}}</style>`);
}

/** The same picture as PNG at twice the size. */
export async function toPng(svg: string, scale = 2): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([await withFont(svg)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(image.naturalWidth * scale);
    canvas.height = Math.round(image.naturalHeight * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error("The picture is empty."))),
        "image/png",
      );
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** "Three writers, one storage server" and "throughput" to a file name. */
export function fileName(stamp: ExportStamp, chart: string, extension: string): string {
  const slug = stamp.scenario
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 48);
  return `${[slug || "scenario", chart, stamp.hash.slice(0, 8)].join("-")}.${extension}`;
}

/** Offers a file to the browser's downloads. */
export function download(name: string, content: string | Blob, type = "text/plain"): void {
  const blob = typeof content === "string" ? new Blob([content], { type }) : content;
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Saves a chart as a file. */
export async function save(
  chart: Exportable,
  stamp: ExportStamp,
  format: "csv" | "svg" | "png",
): Promise<void> {
  const name = fileName(stamp, chart.id, format);
  if (format === "csv") download(name, toCsv(chart, stamp), "text/csv");
  else if (format === "svg") download(name, toSvg(chart, stamp), "image/svg+xml");
  else download(name, await toPng(toSvg(chart, stamp)));
}
