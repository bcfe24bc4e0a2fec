import type { TextOptions, TextRun } from "./surface.ts";

const SVG = "http://www.w3.org/2000/svg";

/** Least time between two updates of the texts while data stream in: digits that change faster cannot be read. */
const PERIOD_MS = 100;

/** A line of text where a drawing put it. */
interface Line {
  readonly runs: readonly TextRun[];
  readonly x: number;
  readonly y: number;
  readonly options: TextOptions;
}

interface Shown {
  readonly element: SVGTextElement;
  /** Place and look of the line; empty for one that is hidden. */
  key: string;
  /** Look of the runs, without their texts. */
  runs: string;
  colours: readonly string[];
}

/** Text of a drawing as SVG elements above the canvas: from one update to the next only what differs is touched. */
export class TextLayer {
  private readonly pool: Shown[] = [];
  private lines: Line[] = [];
  private shownMs = Number.NEGATIVE_INFINITY;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly root: SVGElement) {}

  start() {
    this.lines = [];
  }

  text(runs: TextRun | readonly TextRun[], x: number, y: number, options: TextOptions = {}) {
    this.lines.push({ runs: Array.isArray(runs) ? runs : [runs as TextRun], x, y, options });
  }

  /**
   * Shows the lines of the drawing: at once if `urgent` or if a colour has changed, since the canvas below has the new ground already;
   * otherwise no sooner than a period after the last time.
   */
  finish(urgent: boolean) {
    const rest = this.shownMs + PERIOD_MS - performance.now();
    if (urgent || rest <= 0 || this.isRecoloured()) this.show();
    else this.timer ??= setTimeout(() => this.show(), rest);
  }

  /** Forgets what waits to be shown. */
  stop() {
    clearTimeout(this.timer);
  }

  private isRecoloured(): boolean {
    return this.lines.some(({ runs }, i) => {
      const shown = this.pool[i]?.colours;
      return shown !== undefined && runs.some(({ colour }, n) => colour !== (shown[n] ?? colour));
    });
  }

  private show() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.shownMs = performance.now();
    for (const [i, line] of this.lines.entries()) this.place(i, line);
    for (const entry of this.pool.slice(this.lines.length)) {
      if (entry.key === "") continue;
      entry.key = "";
      entry.element.setAttribute("display", "none");
    }
  }

  private place(position: number, { runs, x, y, options }: Line) {
    const { size = 11, align = "start", halo = "" } = options;
    let entry = this.pool[position];
    if (!entry) {
      const element = document.createElementNS(SVG, "text");
      this.root.append(element);
      entry = { element, key: "", runs: "", colours: [] };
      this.pool.push(entry);
    }
    const { element } = entry;
    const key = `${x.toFixed(1)} ${y.toFixed(1)} ${size} ${align} ${halo}`;
    if (entry.key !== key) {
      if (entry.key === "") element.removeAttribute("display");
      entry.key = key;
      element.setAttribute("x", x.toFixed(1));
      element.setAttribute("y", y.toFixed(1));
      element.setAttribute("font-size", String(size));
      element.setAttribute("text-anchor", align);
      element.setAttribute("class", halo ? "chart-text-halo" : "");
      if (halo) element.setAttribute("stroke", halo);
      else element.removeAttribute("stroke");
    }
    const looks = runs
      .map((run) => `${run.colour} ${run.bold} ${run.symbol} ${run.gap} ${run.full}`)
      .join("|");
    if (entry.runs !== looks) {
      entry.runs = looks;
      entry.colours = runs.map(({ colour }) => colour);
      element.replaceChildren(...runs.map(spanOf));
      return;
    }
    for (const [i, run] of runs.entries()) {
      const text = element.children[i]?.firstChild;
      if (text && text.nodeValue !== run.text) text.nodeValue = run.text;
    }
  }
}

function spanOf(run: TextRun): SVGTSpanElement {
  const span = document.createElementNS(SVG, "tspan");
  span.append(run.text);
  span.setAttribute("fill", run.colour);
  if (run.bold) span.setAttribute("font-weight", "600");
  if (run.symbol) span.setAttribute("class", "chart-symbol");
  if (run.gap) span.setAttribute("dx", String(run.gap));
  if (run.full) {
    const title = document.createElementNS(SVG, "title");
    title.textContent = run.full;
    span.append(title);
    span.setAttribute("class", "chart-text-short");
  }
  return span;
}
